/** The same clip by an ffmpeg of this machine, where it has one, and by the bundled one: the same pictures and sound. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition } from '../../server/contract/composition.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { takesFpsMode } from '../../workers/media/arguments/dialect.ts'
import { lacking } from '../../workers/media/arguments/needs.ts'
import { detectDialect } from '../../workers/media/dialect.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { readCapabilities } from '../../workers/media/tools.ts'
import type { StageContext } from '../../workers/stages/context.ts'
import { runRender } from '../../workers/stages/render/stage.ts'
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

const CANDIDATE = ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg', '/opt/homebrew/bin/ffmpeg'].find((path) =>
  existsSync(path),
)

/** Why the machine's own cannot be compared; null when it can. */
async function reasonNot(): Promise<string | null> {
  if (CANDIDATE === undefined) return 'this machine has no ffmpeg of its own'
  if (spawnSync(CANDIDATE, ['-version']).status !== 0) return `${CANDIDATE} does not run`
  const missing = lacking(await readCapabilities(CANDIDATE))
  return missing.length === 0 ? null : `${CANDIDATE} lacks ${missing.join(', ')}`
}

const reason = await reasonNot()
if (reason !== null) console.info(`skipped: ${reason}`)
const own = CANDIDATE ?? ''

describe.skipIf(reason !== null)('an ffmpeg of this machine', () => {
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
    const { nb_frames, duration, avg_frame_rate, color_space, color_range, pix_fmt } = a.video
    expect(b.video).toMatchObject({ nb_frames, duration, avg_frame_rate, color_space, color_range, pix_fmt })
    expect(b.audio.duration).toBe(a.audio.duration)
    const loud = await loudnessOf(one)
    const quiet = await loudnessOf(other)
    expect(Math.abs(loud.integrated - quiet.integrated)).toBeLessThan(0.3)
    const heard = onsets(await samplesOf(one))
    const again = onsets(await samplesOf(other))
    expect(again).toHaveLength(heard.length)
    // A millisecond.
    heard.forEach((sample, index) => expect(Math.abs(sample - (again[index] ?? 0))).toBeLessThan(48))
  })

  it('gets the options of its version, and blends as was measured', async () => {
    const { stdout } = await runTool({ executable: own, args: ['-version'] })
    const dialect = await detectDialect(own)
    expect(dialect.fpsMode).toBe(takesFpsMode(stdout.toString('utf8')))
    expect((await detectDialect(ffmpeg)).overlayLuma).toEqual({ opaque: 0, transparent: 0 })
    expect([0, 16]).toContain(dialect.overlayLuma.transparent)
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
