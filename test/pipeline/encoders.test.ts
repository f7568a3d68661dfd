/** Hardware encoders: tried, used, given up. There is no such hardware here; an ffmpeg that simulates it is used. */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { mediaTools } from '../../server/adapters/media-tools.ts'
import type * as Adapter from '../../server/adapters/video-encoder.ts'
import { loadConfig, type Config } from '../../server/config/config.ts'
import { openHome } from '../../server/home.ts'
import { lacking, USEFUL } from '../../workers/media/arguments/needs.ts'
import type { EncoderChoice } from '../../workers/media/arguments/render-encoder.ts'
import type * as Confine from '../../workers/media/confine.ts'
import { readCapabilities } from '../../workers/media/tools.ts'
import type { StageContext } from '../../workers/stages/context.ts'
import { runRender } from '../../workers/stages/render/stage.ts'
import { makeFakeFfmpeg, type FakeFfmpeg, type FakeMode } from '../support/fake-ffmpeg.ts'
import { captionLayer } from '../support/sample-composition.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import { countingSource, LOSSLESS, make, plain, probeStreams, shownFrames } from './render-support.ts'
import { remark, type RenderRemark } from '../../server/contract/render-remarks.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import { measureSlowness } from '../support/pace.ts'

// The stand-in keeps notes in files of its own, which a confined tool does not see (confined-tools.test.ts).
vi.mock('../../workers/media/confine.ts', async (load) => ({
  ...(await load<typeof Confine>()),
  confineTool: (start: Confine.ToolStart) => Promise.resolve(start),
}))

const tools = bundledTools()
const WORKS: FakeMode = { trial: 'works', render: 'works' }
const NVENC: EncoderChoice = { way: 'nvenc', device: null }
let root = ''
let counting = ''
let count = 0

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-encoders-'))
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
function settings(place: { folder: string; ffmpeg: FakeFfmpeg }, encoder: Config['encoder']): Config {
  const { root: home } = openHome(join(place.folder, 'home'))
  return { ...loadConfig({ home }, {}), ffmpeg: place.ffmpeg.path, ffprobe: tools.ffprobe, encoder }
}

/** The adapter as a process that has just started has it. */
async function freshAdapter(): Promise<typeof Adapter> {
  vi.resetModules()
  return import('../../server/adapters/video-encoder.ts')
}

describe('which encoder', () => {
  it('is the one that encoded a picture; remembered by the next process, forgotten when it broke', async () => {
    const place = await fake(WORKS)
    const config = settings(place, 'auto')
    expect(await (await freshAdapter()).workingEncoder(config)).toEqual(NVENC)
    expect(await (await freshAdapter()).workingEncoder(config)).toEqual(NVENC)
    expect(place.ffmpeg.calls('trial')).toBe(1)
    await place.ffmpeg.become({ ...WORKS, trial: 'fails' })
    const adapter = await freshAdapter()
    await adapter.doubtEncoder(config)
    expect(await adapter.workingEncoder(config)).toEqual({ way: 'software', device: null })
    expect(place.ffmpeg.calls('trial')).toBeGreaterThan(1)
  })

  it('is requested by the older options where the newer are not understood', async () => {
    const place = await fake({ ...WORKS, trial: 'old' })
    const choice = await (await freshAdapter()).workingEncoder(settings(place, 'nvenc'))
    expect(choice).toEqual({ way: 'nvenc-named-presets', device: null })
  })

  it('is software when nothing else works, with a warning when another was requested', async () => {
    const place = await fake({ ...WORKS, trial: 'fails' })
    const adapter = await freshAdapter()
    const choice = await adapter.workingEncoder(settings(place, 'nvenc'))
    expect(choice.way).toBe('software')
    expect(choice.complaint).toMatch(/asks for the encoder nvenc.*Cannot load libnvidia-encode\.so\.1/)
    expect(await adapter.workingEncoder(settings(place, 'auto'))).toEqual({ way: 'software', device: null })
    const trials = place.ffmpeg.calls('trial')
    expect(await adapter.workingEncoder(settings(place, 'software'))).toEqual({
      way: 'software',
      device: null,
    })
    expect(place.ffmpeg.calls('trial')).toBe(trials)
    const absent = await adapter.workingEncoder(settings(place, 'videotoolbox'))
    expect(absent.complaint).toContain('videotoolbox, which is of another operating system;')
    const unbuilt = await adapter.workingEncoder(settings(place, 'qsv'))
    expect(unbuilt.complaint).toContain('qsv, which is not in this build of ffmpeg;')
  })
})

describe('a configured ffmpeg', () => {
  it('is refused with a list of what it lacks', async () => {
    const asked = mediaTools(settings(await fake({ ...WORKS, without: ['libx264', 'aac'] }), 'auto'))
    await expect(asked).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringMatching(/without encoder libx264, encoder aac\. .*CUTROOM_FFMPEG/) as string,
    })
  })

  it('has the filters of the bundled one, which are all that is used', async () => {
    const built = await readCapabilities(tools.ffmpeg)
    expect([lacking(built), USEFUL.filter(({ filter }) => !built.filters.has(filter))]).toEqual([[], []])
  })
})

/** Why the appliance took this ffmpeg. */
const CHOSEN = 'the configured one: the configuration names it'

async function render(ffmpeg: string, encoder?: EncoderChoice, signal?: AbortSignal) {
  const composition = plain({ layers: [captionLayer('One two three', 10, 3)] })
  const run = await runStageForTest(
    (context: StageContext, params: Parameters<typeof runRender>[1]) =>
      runRender(
        { ...context, tools: { ...tools, ffmpeg, chosen: CHOSEN }, ...omitUndefined({ encoder }) },
        params,
      ),
    { composition, encoder: { preset: 'ultrafast', crf: 8 } },
    {
      root: join(root, `run-${(count += 1)}`),
      inputs: { source: counting },
      ...omitUndefined({ signal }),
    },
  )
  const clip = join(run.folder, run.output.file)
  const manifest = JSON.parse(await readFile(join(run.folder, 'render-manifest.json'), 'utf8')) as {
    encoder: Record<string, unknown>
    warnings: RenderRemark[]
  }
  return { ...run, clip, manifest }
}

const EVERY_FRAME = Array.from({ length: 40 }, (_, index) => index)

describe('a render', () => {
  it('by hardware reports it, and is the same clip', async () => {
    const { ffmpeg } = await fake(WORKS)
    const run = await render(ffmpeg.path, NVENC)
    expect(run.output).toMatchObject({ encoder: 'h264_nvenc' })
    expect([run.warnings, run.output.fellBack, ffmpeg.calls('render')]).toEqual([[], undefined, 1])
    expect(run.manifest).toMatchObject({ tools: { chosen: CHOSEN } })
    expect(run.manifest.encoder['arguments']).toEqual(
      expect.arrayContaining(['-c:v', 'h264_nvenc', '-cq', '23']),
    )
    expect(await shownFrames(run.clip)).toEqual(EVERY_FRAME)
  })

  it.each([
    ['breaks', /h264_nvenc failed \(.*\); the clip was encoded by libx264 instead/],
    ['short', /h264_nvenc failed \(The rendered file is not right: it has 7 frames and not 40/],
  ] as const)('that %s is repeated by software, once, with a warning', async (mode, warning) => {
    const { ffmpeg } = await fake({ ...WORKS, render: mode })
    const run = await render(ffmpeg.path, NVENC)
    expect(run.output).toMatchObject({ encoder: 'libx264', fellBack: true })
    expect([run.warnings.length, ffmpeg.calls('render')]).toEqual([1, 1])
    expect(run.warnings[0]).toMatch(warning)
    expect(run.manifest).toMatchObject({
      encoder: { name: 'libx264', fellBackFrom: 'nvenc' },
      warnings: [{ code: null, field: null, message: run.warnings[0] }],
    })
    expect(run.progress).toEqual(run.progress.toSorted((a, b) => a - b))
    expect((await readdir(run.folder)).sort()).toEqual(['clip.mp4', 'render-manifest.json', 'thumbnail.jpg'])
    const software = await render(tools.ffmpeg)
    expect((await readFile(run.clip)).equals(await readFile(software.clip))).toBe(true)
  })

  it('warns about a requested encoder that is missing', async () => {
    const choice: EncoderChoice = { way: 'software', device: null, complaint: 'nvenc does not work here.' }
    const run = await render(tools.ffmpeg, choice)
    const told = remark(null, null, 'nvenc does not work here.')
    expect([run.output.encoder, run.manifest.warnings]).toEqual(['libx264', [told]])
  })

  it('that is cancelled is not made again', async () => {
    const { ffmpeg } = await fake({ ...WORKS, render: 'hangs' })
    const cancel = new AbortController()
    const running = render(ffmpeg.path, NVENC, cancel.signal)
    const waiting = expect(running).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(() => ffmpeg.calls('render'), { timeout: 10_000 }).toBe(1)
    const asked = performance.now()
    cancel.abort()
    await waiting
    expect(performance.now() - asked).toBeLessThan(1000 * measureSlowness())
  })

  it('of an invalid source does not disable the encoder', async () => {
    const { ffmpeg } = await fake(WORKS)
    const junk = join(root, 'junk.mp4')
    await make(['-f', 'lavfi', '-i', 'sine=d=1', '-c:a', 'aac', '-f', 'adts', junk])
    const before = counting
    counting = junk
    await expect(render(ffmpeg.path, NVENC)).rejects.toMatchObject({ code: 'RENDER_FAILED' })
    counting = before
    const { video } = await probeStreams((await render(ffmpeg.path, NVENC)).clip)
    expect([video.pix_fmt, video.color_space, video.color_range]).toEqual(['yuv420p', 'bt709', 'tv'])
  })
})
