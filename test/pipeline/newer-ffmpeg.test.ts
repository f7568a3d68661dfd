/**
 * The same clip by other builds of ffmpeg and by the bundled one: the same pictures and sound. Other builds are the machine's own,
 * and those that `npm run install:ffmpegs` brings.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition } from '../../server/contract/composition.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { TRANSITION_NAMES } from '../../server/contract/transitions/registry.ts'
import { PLAIN_BLENDING, takesFpsMode } from '../../workers/media/arguments/dialect.ts'
import { lacking } from '../../workers/media/arguments/needs.ts'
import { detectDialect } from '../../workers/media/dialect.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { readCapabilities } from '../../workers/media/tools.ts'
import type { StageContext } from '../../workers/stages/context.ts'
import { runRender } from '../../workers/stages/render/stage.ts'
import { drawByFfmpeg, makeGround } from '../golden/by-ffmpeg.ts'
import { GOLDEN_CASES } from '../golden/cases.ts'
import { compare } from '../golden/draw.ts'
import { listInstalledFfmpegs } from '../support/installed-ffmpegs.ts'
import { captionLayer, TITLE } from '../support/sample-composition.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import {
  countingSource,
  ffmpeg,
  ffprobe,
  LOSSLESS,
  loudnessOf,
  make,
  plain,
  probeStreams,
  samplesOf,
  shownFrames,
  spans,
} from './render-support.ts'

/** Of the golden cases, which are drawn slowly. */
const EVERY = 8
const OWN = ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg', '/opt/homebrew/bin/ffmpeg']
/** Why a build cannot be compared; null when it can. */
async function reasonNot(path: string): Promise<string | null> {
  if (spawnSync(path, ['-version']).status !== 0) return `${path} does not run`
  const missing = lacking(await readCapabilities(path))
  return missing.length === 0 ? null : `${path} lacks ${missing.join(', ')}`
}

const builds: { readonly name: string; readonly path: string }[] = []
for (const path of [
  ...OWN.filter((one) => existsSync(one)),
  ...listInstalledFfmpegs().map(({ path }) => path),
]) {
  const reason = await reasonNot(path)
  if (reason === null) builds.push({ name: basename(path), path })
  else console.info(`skipped: ${reason}`)
}
if (builds.length === 0)
  console.info('skipped: this machine has no other ffmpeg; npm run install:ffmpegs brings two')

// A file without tests fails.
it.skipIf(builds.length > 0)('needs another ffmpeg: npm run install:ffmpegs', ({ skip }) => skip())

describe.each(builds)('$name beside the bundled one', ({ path: own }) => {
  let root = ''
  let counting = ''
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cutroom-newer-'))
    counting = join(root, 'counting.mkv')
    await make([...countingSource(400, 2), ...LOSSLESS, counting])
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  async function render(executable: string, composition: Composition): Promise<string> {
    const run = await runStageForTest(
      (context: StageContext, params: Parameters<typeof runRender>[1]) =>
        runRender({ ...context, tools: { ffmpeg: executable, ffprobe } }, params),
      { composition, encoder: { preset: 'ultrafast', crf: 8 } },
      { root: join(root, executable === own ? 'own' : 'bundled'), inputs: { source: counting } },
    )
    return join(run.folder, run.output.file)
  }

  it('makes the same clip: cuts, speeds, a fitted picture, captions, a title, a beep, a tail', async () => {
    const timeMap = spans([[10, 37], [60, 25], [100, 40, 2], [190, 20, 0.5], [330, 30]]) // prettier-ignore
    const durationFrames = (timeMap.at(-1)?.endFrame ?? 0) + 15
    const layers = [captionLayer('Same pictures by another tool', 10, 3), { ...TITLE, endFrame: 90 }]
    const base = plain({ durationFrames, layers })
    const composition: Composition = {
      ...base,
      timeMap,
      tailFrames: 15,
      layout: [
        ...base.layout.map((span) => ({ ...span, endFrame: 60 })),
        {
          kind: 'fit',
          startFrame: 60,
          endFrame: durationFrames,
          zoom: 1,
          background: 'blur',
          crop: { x: 0, y: 0, width: 400, height: 360 },
        },
      ],
      audio: {
        integratedLufs: -14,
        truePeakDb: -1,
        crossfadeMs: 10,
        edgeFadeMs: 15,
        masks: [{ start: secondsToTicks(1), end: secondsToTicks(1.3), kind: 'beep' }],
      },
    }
    const one = await render(ffmpeg, composition)
    const other = await render(own, composition)
    expect(await shownFrames(other)).toEqual(await shownFrames(one))
    // Bands of captions were darker by black's share of luma: 0.965 at the worst frame. Two versions of x264 differ less.
    expect(await worstLikeness(one, other)).toBeGreaterThan(0.998)
    const a = await probeStreams(one)
    const b = await probeStreams(other)
    const { nb_frames, avg_frame_rate, color_space, color_range, pix_fmt } = a.video
    expect(b.video).toMatchObject({ nb_frames, avg_frame_rate, color_space, color_range, pix_fmt })
    // Newer ones write lengths to the microsecond, the bundled one to the millisecond.
    for (const kind of ['video', 'audio'] as const)
      expect(Math.abs(Number(b[kind].duration) - Number(a[kind].duration))).toBeLessThan(0.001)
    const loud = await loudnessOf(one)
    const quiet = await loudnessOf(other)
    expect(Math.abs(loud.integrated - quiet.integrated)).toBeLessThan(0.3)
    const heard = onsets(await samplesOf(one))
    const again = onsets(await samplesOf(other))
    expect(again).toHaveLength(heard.length)
    // A millisecond.
    heard.forEach((sample, index) => expect(Math.abs(sample - (again[index] ?? 0))).toBeLessThan(48))
  })

  it('makes the same transitions of every kind', async () => {
    const timeMap = spans(
      TRANSITION_NAMES.map((_, take) => [10 + take * 70, 24] as const).concat([[350, 24]]),
    )
    const base = plain({ durationFrames: timeMap.at(-1)?.endFrame ?? 0 })
    const composition: Composition = {
      ...base,
      timeMap,
      transitions: TRANSITION_NAMES.map((kind, index) => ({
        kind,
        cutFrame: 24 * (index + 1),
        frames: 10,
        colour: 'white',
        soundMs: 300,
      })),
    }
    const one = await render(ffmpeg, composition)
    const other = await render(own, composition)
    expect(await worstLikeness(one, other)).toBeGreaterThan(0.998)
    const shown = await shownFrames(one)
    // Half a grey step where two are mixed.
    ;(await shownFrames(other)).forEach((frame, at) =>
      expect(Math.abs(frame - (shown[at] ?? 0))).toBeLessThanOrEqual(1),
    )
    const apart = await loudnessOf(one)
    expect(Math.abs(apart.integrated - (await loudnessOf(other)).integrated)).toBeLessThan(0.1)
  })

  // Those of 2018, 5.1 and 7.0 made the same bytes; 9.0 is at 0.99994 at the least.
  it('lays golden frames over a film as the bundled one does', async () => {
    const cases = GOLDEN_CASES.filter((_, index) => index % EVERY === 0)
    expect(cases.length).toBeGreaterThan(8)
    const place = { folder: join(root, 'golden'), ground: await makeGround(root, cases) }
    for (const one of cases) {
      const wanted = await drawByFfmpeg({ ffmpeg, ffprobe }, one, place)
      const { mean } = compare(wanted, await drawByFfmpeg({ ffmpeg: own, ffprobe }, one, place))
      expect(mean, one.name).toBeGreaterThanOrEqual(0.9998)
    }
  }, 300_000)

  it('gets the options of its version, and what it blends', async () => {
    const { stdout } = await runTool({ executable: own, args: ['-version'] })
    const dialect = await detectDialect(own)
    expect(dialect.fpsMode).toBe(takesFpsMode(stdout.toString('utf8')))
    expect((await detectDialect(ffmpeg)).blending).toEqual(PLAIN_BLENDING)
    expect([
      PLAIN_BLENDING,
      { kind: 'premultiplied', transparent: 16, opaque: 16 },
      { kind: 'straight' },
    ]).toContainEqual(dialect.blending)
  })
})

/** SSIM of the frame that differs most. */
async function worstLikeness(one: string, other: string): Promise<number> {
  const args = ['-hide_banner', '-nostats', '-i', one, '-i', other, '-lavfi', 'ssim=stats_file=-']
  const { stdout } = await runTool({ executable: ffmpeg, args: [...args, '-f', 'null', '/dev/null'] })
  const all = [...stdout.toString('utf8').matchAll(/All:([\d.]+)/g)].map((found) => Number(found[1]))
  expect(all.length).toBeGreaterThan(100)
  return Math.min(...all)
}

/** Samples at which a sound starts after 50 ms of silence. */
function onsets(samples: Float32Array): number[] {
  const found: number[] = []
  let quiet = 0
  samples.forEach((value, index) => {
    if (Math.abs(value) <= 0.02) quiet += 1
    else {
      if (quiet > 2400) found.push(index)
      quiet = 0
    }
  })
  return found
}
