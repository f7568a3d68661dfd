/**
 * Decoding on a graphics card. There is none here: an ffmpeg that simulates one shows what is decided, rendered and said; and real
 * builds of ffmpeg are given the real command lines, which they have to understand up to where the device is missing.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as Adapter from '../../server/adapters/video-encoder.ts'
import { loadConfig, type Config } from '../../server/config/config.ts'
import { checkTools } from '../../server/cli/doctor/engines.ts'
import { AppError } from '../../server/contract/errors.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import { openHome } from '../../server/home.ts'
import type { CardReading } from '../../workers/media/arguments/card-reading.ts'
import { CARDS } from '../../workers/media/arguments/cards/registry.ts'
import { trialClipArguments } from '../../workers/media/arguments/ffmpeg-trials.ts'
import { HARDWARE_WAYS, type HardwareWay } from '../../workers/media/arguments/hardware-encoders.ts'
import { encoderProbeArguments, type EncoderChoice } from '../../workers/media/arguments/render-encoder.ts'
import type * as Confine from '../../workers/media/confine.ts'
import { detectDialect } from '../../workers/media/dialect.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { readCapabilities } from '../../workers/media/tools.ts'
import type { StageContext } from '../../workers/stages/context.ts'
import { runRender } from '../../workers/stages/render/stage.ts'
import { makeFakeFfmpeg, type FakeFfmpeg, type FakeMode } from '../support/fake-ffmpeg.ts'
import { listInstalledFfmpegs } from '../support/installed-ffmpegs.ts'
import { captionLayer, sampleComposition } from '../support/sample-composition.ts'
import { measureSsim } from '../support/ssim.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import { countingSource, LOSSLESS, make, plain, QUIET, shownFrames } from './render-support.ts'

// The stand-in keeps notes in files of its own, which a confined tool does not see (confined-tools.test.ts).
vi.mock('../../workers/media/confine.ts', async (load) => ({
  ...(await load<typeof Confine>()),
  confineTool: (start: Confine.ToolStart) => Promise.resolve(start),
}))

const tools = bundledTools()
const FILM = join(import.meta.dirname, '../../resources/ffmpeg-trial/h264.mkv')
const WORKS: FakeMode = { trial: 'works', render: 'works', card: 'works' }
const CUDA: EncoderChoice = { way: 'software', device: null, card: { card: 'cuda', device: null } }
let root = ''
let counting = ''
let count = 0

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-cards-'))
  counting = join(root, 'counting.mkv')
  await make([...countingSource(120), ...LOSSLESS, counting])
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function fake(mode: FakeMode): Promise<{ folder: string; ffmpeg: FakeFfmpeg }> {
  const folder = join(root, `fake-${(count += 1)}`)
  await mkdir(folder)
  return { folder, ffmpeg: await makeFakeFfmpeg(folder, mode) }
}

/** Of an appliance whose configured ffmpeg this is. */
function settings(
  place: { folder: string; ffmpeg: FakeFfmpeg },
  encoder: Config['encoder'] = 'auto',
): Config {
  const { root: home } = openHome(join(place.folder, 'home'))
  return { ...loadConfig({ home }, {}), ffmpeg: place.ffmpeg.path, ffprobe: tools.ffprobe, encoder }
}

async function choose(config: Config): Promise<EncoderChoice> {
  vi.resetModules()
  const adapter: typeof Adapter = await import('../../server/adapters/video-encoder.ts')
  return adapter.workingEncoder(config)
}

async function gpuCheck(config: Config): Promise<string> {
  return (await checkTools(config)).find(({ name }) => name === 'gpu')?.found ?? ''
}

describe('which card decodes', () => {
  it('is the one that made the processor’s pictures and a whole clip; doctor names it', async () => {
    const place = await fake(WORKS)
    const config = settings(place)
    const choice = { way: 'nvenc', device: null, card: { card: 'cuda', device: null } }
    expect(await choose(config)).toEqual(choice)
    // Two pictures and a clip; the next process remembers it.
    expect(place.ffmpeg.calls('decode')).toBe(3)
    expect(await choose(config)).toEqual(choice)
    expect(place.ffmpeg.calls('decode')).toBe(3)
    expect(await gpuCheck(config)).toMatch(/^encoding with nvenc, decoding on cuda, where it takes the source .*cuda decodes; qsv is not in this build of ffmpeg \(qsv, vpp_qsv\)/) // prettier-ignore
    expect(await choose({ ...config, encoder: 'software' })).toEqual({ way: 'software', device: null })
  })

  it.each([
    ['fails', /the processor decodes .*cuda does not decode: Cannot load libcuda\.so\.1/],
    [
      'green',
      /the processor decodes .*cuda does not decode: its picture is another one \(\d+\.\d levels away\)/,
    ],
  ] as const)('is none that %s, and doctor says why', async (card, why) => {
    const config = settings(await fake({ ...WORKS, card }))
    expect(await choose(config)).toEqual({ way: 'nvenc', device: null })
    expect(await gpuCheck(config)).toMatch(why)
  })
})

interface Manifest {
  readonly decoder: unknown
  readonly warnings: readonly { readonly message: string }[]
  readonly encoder: { readonly name: string; readonly fellBackFrom?: string }
}

async function render(
  mode: FakeMode | null,
  {
    source = counting,
    composition = plain({ layers: [captionLayer('One two three', 10, 3)] }),
    encoder = CUDA,
  } = {},
) {
  const ffmpeg = mode === null ? null : (await fake(mode)).ffmpeg
  const run = await runStageForTest(
    (context: StageContext, params: Parameters<typeof runRender>[1]) =>
      runRender(
        {
          ...context,
          tools: { ...tools, ffmpeg: ffmpeg?.path ?? tools.ffmpeg },
          ...omitUndefined({ encoder: ffmpeg === null ? undefined : encoder }),
        },
        params,
      ),
    { composition, encoder: { preset: 'ultrafast', crf: 8 } },
    { root: join(root, `run-${(count += 1)}`), inputs: { source } },
  )
  const manifest = JSON.parse(await readFile(join(run.folder, 'render-manifest.json'), 'utf8')) as Manifest
  return { ...run, clip: join(run.folder, run.output.file), manifest, ffmpeg }
}

const EVERY_FRAME = Array.from({ length: 40 }, (_, index) => index)

describe('a render', () => {
  it('of a source that the card decodes is the same clip, and its manifest says so', async () => {
    const run = await render(WORKS)
    expect(run.manifest.decoder).toEqual({ on: 'cuda', scaledTo: null })
    expect([run.warnings, run.output.fellBack]).toEqual([[], undefined])
    // The look at the source, and the clip.
    expect(run.ffmpeg?.calls('decode')).toBe(2)
    expect(await shownFrames(run.clip)).toEqual(EVERY_FRAME)
    expect((await readFile(run.clip)).equals(await readFile((await render(null)).clip))).toBe(true)
  })

  it('of a larger source has it scaled on the card', async () => {
    const small = sampleComposition({ width: 136, height: 240, durationFrames: 40, source: { width: 640, height: 360 } }) // prettier-ignore
    const composition = { ...small, audio: QUIET }
    const run = await render(WORKS, { composition })
    expect(run.manifest.decoder).toEqual({ on: 'cuda', scaledTo: { width: 428, height: 240 } })
    expect(await measureSsim(run.clip, (await render(null, { composition })).clip)).toBeGreaterThan(0.99)
  })

  it('in which the card breaks is made by the processor, said in a warning and in the manifest', async () => {
    const run = await render({ ...WORKS, card: 'late' })
    expect(run.output).toMatchObject({ fellBack: true, encoder: 'libx264' })
    expect(run.manifest.decoder).toEqual({ on: 'processor', why: 'cuda failed in this render' })
    expect(run.warnings).toEqual([
      expect.stringMatching(
        /^The graphics card \(NVIDIA \(NVDEC, CUDA\)\) failed to decode the source \(.*cuvid decode callback error.*\); the processor decoded it instead\.$/,
      ),
    ])
    expect(run.manifest.warnings.map(({ message }) => message)).toEqual(run.warnings)
    expect((await readFile(run.clip)).equals(await readFile((await render(null)).clip))).toBe(true)
  })

  it('in which both break gives up one after the other', async () => {
    const encoder: EncoderChoice = { ...CUDA, way: 'nvenc' }
    const run = await render({ ...WORKS, card: 'late', render: 'breaks' }, { encoder })
    expect(run.warnings.map((warning) => warning.split(' failed')[0])).toEqual([
      'The graphics card (NVIDIA (NVDEC, CUDA))',
      'The hardware encoder h264_nvenc',
    ])
    expect(run.manifest.encoder).toMatchObject({ name: 'libx264', fellBackFrom: 'nvenc' })
    expect(await shownFrames(run.clip)).toEqual(EVERY_FRAME)
  })

  it('of a source that no card takes does not try, and says why', async () => {
    const source = join(root, 'full-colour.mkv')
    await make([...countingSource(60), '-c:v', 'libx264', '-qp', '0', '-pix_fmt', 'yuv444p', '-c:a', 'pcm_s16le', source]) // prettier-ignore
    const run = await render(WORKS, { source })
    expect(run.manifest.decoder).toEqual({ on: 'processor', why: 'cards do not decode h264 as yuv444p' })
    expect([run.warnings, run.ffmpeg?.calls('decode')]).toEqual([[], 0])
    const bare = await render(null)
    expect(bare.manifest.decoder).toEqual({ on: 'processor', why: 'no graphics card decodes here; `cutroom doctor` says why' }) // prettier-ignore
  })
})

const builds = [{ name: 'bundled', path: tools.ffmpeg }, ...listInstalledFfmpegs()]
const READINGS = CARDS.flatMap(({ name, devices }) =>
  [null, { width: 320, height: 180 }].map((size): CardReading => ({
    card: name,
    device: devices?.[0] ?? null,
    format: 'nv12',
    size,
  })),
)

/** What ffmpeg says; null: it ran. */
async function refusal(executable: string, args: readonly string[]): Promise<string | null> {
  try {
    await runTool({ executable, args, timeoutSeconds: 60 })
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { stderr } = error.details as { stderr?: string }
    return stderr ?? error.message
  }
}

/** It understood everything, and there is no card. */
const NO_DEVICE =
  /Device creation failed|No device available for decoder|Cannot load lib(?:cuda|nvidia-encode)|Failed to (?:initialise|create) VAAPI|No VA display found|Error creating a MFX session|Error initializing an? (?:internal )?MFX session|Failed loading libamfrt|Cannot load libamfrt|DLL libamfrt.* failed to open|Failed to set value .* for option 'vaapi_device'/u
/** It did not. */
const NOT_UNDERSTOOD =
  /No such filter|Option .* not found|Error (?:applying|parsing|setting) option|Unrecognized option|Unrecognized hwaccel|Unable to parse|Undefined constant|Invalid (?:encoder|size)|No option name near|Unknown encoder/iu

describe.each(builds)('$name understands', ({ path }) => {
  it('the whole render on each card that it was built for, up to the missing device', async () => {
    const { hwaccels, filters } = await readCapabilities(path)
    const dialect = await detectDialect(path)
    const there = READINGS.filter(({ card }) => {
      const { hwaccel, filters: needed } = CARDS.find(({ name }) => name === card) ?? {
        hwaccel: '',
        filters: [],
      }
      return hwaccels.has(hwaccel) && needed.every((name) => filters.has(name))
    })
    for (const reading of there) {
      const file = join(root, 'card.mp4')
      const said = (await refusal(path, trialClipArguments(FILM, file, dialect, { reading }))) ?? 'it ran'
      const which = `${reading.card} ${reading.size === null ? '' : 'scaled'}: ${said}`
      expect(which).not.toMatch(NOT_UNDERSTOOD)
      expect(which).toMatch(NO_DEVICE)
    }
    console.info(
      `${path.split('/').at(-1) ?? ''}: ${[...new Set(there.map(({ card }) => card))].join(', ') || 'no card'}`,
    )
  })

  it('the options of each hardware encoder that it was built with', async () => {
    const { encoders } = await readCapabilities(path)
    const there = (Object.keys(HARDWARE_WAYS) as HardwareWay[]).filter((way) =>
      encoders.has(HARDWARE_WAYS[way].encoder),
    )
    for (const way of there) {
      const device = HARDWARE_WAYS[way].devices?.[0] ?? null
      const said = (await refusal(path, encoderProbeArguments(way, device))) ?? 'it ran'
      // Presets by words are those of builds before 4.4.
      if (way !== 'nvenc-named-presets') expect(`${way}: ${said}`).not.toMatch(NOT_UNDERSTOOD)
      expect(`${way}: ${said}`).toMatch(NO_DEVICE)
    }
  })
})

it('tells a graph that is not understood from a device that is missing', async () => {
  const newest = listInstalledFfmpegs().at(-1)
  if (newest === undefined) return
  const args = trialClipArguments(FILM, join(root, 'wrong.mp4'), await detectDialect(newest.path), {
    reading: { card: 'cuda', device: null, format: 'nv12', size: { width: 320, height: 180 } },
  })
  const wrong = args.map((arg) => arg.replace('interp_algo=bicubic', 'interp_algo=bicubicular'))
  expect(wrong).not.toEqual(args)
  expect(await refusal(newest.path, wrong)).toMatch(NOT_UNDERSTOOD)
})
