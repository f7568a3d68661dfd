/** Slides and screen recordings: a picture that is shown for long is available at any time within its duration. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { framesArguments } from '../../workers/media/arguments/frames.ts'
import { stripArguments } from '../../workers/media/arguments/filmstrip.ts'
import { looksArguments } from '../../workers/media/arguments/thumbnail.ts'
import { runCut } from '../../workers/stages/cut/stage.ts'
import { runProbe } from '../../workers/stages/probe/stage.ts'
import { runThumbnail } from '../../workers/stages/thumbnail/stage.ts'
import { seekingIn } from '../../server/contract/source-facts.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { lumaOf, make, MIDDLE, plain, renderForTest, samplesOf, SIZE, spans } from './render-support.ts'

/** Luma of the pictures, and when each comes, in seconds. The last one is the last packet of the track. */
const SLIDES = [
  { from: 0, luma: 40 },
  { from: 15, luma: 120 },
  { from: 30, luma: 200 },
]
const SECONDS = 60

let root = ''
let slides = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-held-'))
  slides = join(root, 'slides.mp4')
  const luma = SLIDES.toReversed().reduce(
    (rest, { luma, from }) => (rest === '' ? `${luma}` : `if(lt(N\\,${from / 15 + 1})\\,${luma}\\,${rest})`),
    '',
  )
  const picture = `color=c=black:s=32x18:r=1/15:d=45,format=yuv420p,geq=lum=${luma}:cb=128:cr=128`
  const tone = `aevalsrc=0.5*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,0.1):s=48000:d=${SECONDS}`
  await make([
    '-f',
    'lavfi',
    '-i',
    `${picture},scale=640:360:flags=neighbor`,
    '-f',
    'lavfi',
    '-i',
    tone,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-qp',
    '0',
    '-g',
    '100',
    '-vsync',
    '0',
    '-c:a',
    'aac',
    '-max_muxing_queue_size',
    '9999',
    slides,
  ])
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** One of 256 greys, give or take what is lost on the way from limited to full range and back. */
const grey = (luma: number): unknown => expect.closeTo(((luma - 16) * 255) / 219, -1.2)

/** Whether there is a beep at these seconds of a file. */
async function beeps(file: string, places: readonly number[]): Promise<boolean[]> {
  const samples = await samplesOf(file)
  return places.map((second) => {
    const from = Math.round(second * 48_000)
    return Math.max(...samples.subarray(from, from + 480).map(Math.abs)) > 0.2
  })
}

describe('a picture that came long before the clip and is still on', () => {
  it('is what the clip shows, with the sound of its own moment', async () => {
    // Two windows: one during the second slide, until the third comes; one long after the track's last picture.
    const timeMap = spans([
      [28 * 30, 80],
      [57 * 30, 30],
    ])
    const { clip } = await renderForTest({ ...plain({ durationFrames: 110 }), timeMap }, slides, root)
    const shown = await lumaOf(clip, MIDDLE)
    expect(shown).toHaveLength(110)
    expect([shown[0], shown[58], shown[62], shown[79], shown[80], shown[109]]).toEqual(
      [120, 120, 200, 200, 200, 200].map(grey),
    )
    expect(await beeps(clip, [0.02, 0.5, 1.02, 80 / 30 + 0.02, 80 / 30 + 0.5])).toEqual([
      true,
      false,
      true,
      true,
      false,
    ])
  })

  it('is in the cut of the clip, though it came longer ago than the cut looks back', async () => {
    const probed = await runStageForTest(runProbe, {}, { inputs: { source: slides }, root })
    const { output, folder } = await runStageForTest(
      runCut,
      { start: secondsToTicks(29), end: secondsToTicks(32), scrub: true },
      { inputs: { source: slides }, results: { probe: probed.output }, root },
    )
    const luma = await lumaOf(join(folder, output.file), MIDDLE)
    expect(output.sourceStart).toBe(secondsToTicks(29))
    expect([luma[0], luma.at(-1)]).toEqual([grey(120), grey(200)])
    const last = await runStageForTest(
      runCut,
      { start: secondsToTicks(57), end: secondsToTicks(58), scrub: true },
      { inputs: { source: slides }, results: { probe: probed.output }, root },
    )
    expect(new Set(await lumaOf(join(last.folder, last.output.file), MIDDLE))).toEqual(new Set([grey(200)]))
  })

  it('is in the filmstrip', async () => {
    const output = join(root, 'strip.jpg')
    const shownFrom = async (start: number, tiles: readonly number[]) => {
      const asked = { path: slides, output, start, spacingSeconds: 1, count: 6, videoStream: 0, hdr: false }
      await make(stripArguments({ ...asked, width: 64, height: 64 }))
      const shown = tiles.map(async (at) => (await lumaOf(output, `32:32:${at * 64 + 16}:16`))[0])
      return Promise.all(shown)
    }
    expect(await shownFrom(26, [0, 1, 5])).toEqual([grey(120), grey(120), grey(200)])
    expect(await shownFrom(54, [0, 5])).toEqual([grey(200), grey(200)])
  })

  it('is what face detection gets', async () => {
    const seen = async (start: number) => {
      const asked = {
        path: slides,
        streamIndex: 0,
        start,
        length: 2,
        rate: 12.5,
        width: 2,
        height: 2,
        hdr: false,
      }
      const pictures = await make(framesArguments(asked))
      return [pictures.length / 12, pictures[0], pictures.at(-1)]
    }
    expect(await seen(29)).toEqual([25, grey(120), grey(200)])
    expect(await seen(57)).toEqual([25, grey(200), grey(200)])
  })

  it('is what the choice of a thumbnail gets', async () => {
    const looked = join(root, 'look.gray')
    const args = looksArguments({
      path: slides,
      videoStream: 0,
      rate: { numerator: 30, denominator: 1 },
      looks: [25, 57].map((seconds) => ({ seconds, crop: { x: 0, y: 0, ...SIZE } })),
      grey: { width: 16, height: 16 },
    })
    const files = ['pipe:3', 'pipe:4']
    await make(args.map((arg) => (files.includes(arg) ? `${looked}${files.indexOf(arg)}` : arg)))
    const [first, last] = await Promise.all([0, 1].map((at) => readFile(`${looked}${at}`)))
    expect([first?.[0], last?.[0]]).toEqual([grey(120), grey(200)])
  })
})

it('the last picture of a transport stream is on for as long as its sound, however much later', async () => {
  const stream = join(root, 'ends.ts')
  const grey120 = 'color=c=black:s=640x360:r=25:d=2,format=yuv420p,geq=lum=120:cb=128:cr=128'
  await make([
    '-f',
    'lavfi',
    '-i',
    grey120,
    '-f',
    'lavfi',
    '-i',
    'aevalsrc=0.5*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,0.1):d=24',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-qp',
    '0',
    '-c:a',
    'aac',
    stream,
  ])
  const { output: probe } = await runStageForTest(runProbe, {}, { inputs: { source: stream }, root })
  const seeking = seekingIn(probe)
  const composition = plain({ durationFrames: 30, fromFrame: 600 })
  const source = { ...composition.source, ...seeking }
  const { clip } = await renderForTest({ ...composition, source }, stream, root)
  expect(new Set(await lumaOf(clip, MIDDLE))).toEqual(new Set([grey(120)]))
  expect(await beeps(clip, [0.05, 0.5])).toEqual([true, false])
  const { output, folder } = await runStageForTest(
    runCut,
    { start: secondsToTicks(20), end: secondsToTicks(21), scrub: true },
    { inputs: { source: stream }, results: { probe }, root },
  )
  expect(new Set(await lumaOf(join(folder, output.file), MIDDLE))).toEqual(new Set([grey(120)]))
  const moments = [3, 20].map((frame) => ({ frame, worth: 1 }))
  const thumbnail = await runStageForTest(
    runThumbnail,
    { composition: { ...composition, source }, moments },
    { inputs: { source: stream }, root },
  )
  expect(await lumaOf(join(thumbnail.folder, thumbnail.output.file), MIDDLE)).toEqual([grey(120)])
  const asked = { path: stream, start: 20, width: 64, height: 64, hdr: false, ...seeking }
  const strip = join(root, 'ends.jpg')
  await make(stripArguments({ ...asked, output: strip, spacingSeconds: 1, count: 2, videoStream: 0 }))
  expect(await lumaOf(strip, '32:32:80:16')).toEqual([grey(120)])
  const seen = await make(framesArguments({ ...asked, streamIndex: 0, length: 1, rate: 2 }))
  expect([seen.length, seen[0]]).toEqual([2 * 64 * 64 * 3, grey(120)])
})

it.each(['mp4', 'mkv'])(
  'plays sound before the first picture of a recording at its time: %s',
  async (form) => {
    const late = join(root, `late.${form}`)
    await make([
      '-itsoffset',
      '4',
      '-i',
      slides,
      '-t',
      '12',
      '-i',
      slides,
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-c',
      'copy',
      late,
    ])
    const probed = await runStageForTest(runProbe, {}, { inputs: { source: late }, root })
    const begins = (probed.output.video?.startTime ?? 0) / secondsToTicks(1)
    expect(begins).toBeCloseTo(4, 1)
    const composition = plain({ durationFrames: 60, fromFrame: 30 })
    const source = { ...composition.source, audioStream: 1, pictureStart: secondsToTicks(begins) }
    const { clip } = await renderForTest({ ...composition, source }, late, root)
    expect(await beeps(clip, [0.05, 0.5, 1.05, 1.5])).toEqual([true, false, true, false])
    const { output, folder } = await runStageForTest(
      runCut,
      { start: secondsToTicks(1), end: secondsToTicks(3), scrub: true },
      { inputs: { source: late }, results: { probe: probed.output }, root },
    )
    expect(await beeps(join(folder, output.file), [0.05, 0.5, 1.05, 1.5])).toEqual([true, false, true, false])
  },
)
