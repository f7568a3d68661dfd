/** Transport streams have no index: what is cut from the middle of one moves from its first frame on. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seeksLoosely, type SourceFacts } from '../../server/contract/source-facts.ts'
import { secondsToTicks, ticksToSeconds } from '../../server/contract/time.ts'
import { stripArguments } from '../../workers/media/arguments/filmstrip.ts'
import { framesArguments } from '../../workers/media/arguments/frames.ts'
import { buildMoment } from '../../workers/media/arguments/render-moment.ts'
import { stillArguments } from '../../workers/media/arguments/render.ts'
import { looksArguments } from '../../workers/media/arguments/thumbnail.ts'
import { runCut } from '../../workers/stages/cut/stage.ts'
import { runProbe } from '../../workers/stages/probe/stage.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import {
  countingSource,
  lumaOf,
  make,
  MIDDLE,
  plain,
  renderForTest,
  shownFrames,
  SIZE,
} from './render-support.ts'

/** Frames from one key frame to the next, and where the stretches begin: far from any. */
const GROUP = 200
const PLACES = [90, 290]

let root = ''
let facts: SourceFacts
const sources: string[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-loose-seek-'))
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-sc_threshold', '0', '-c:a', 'mp2']
  for (const name of ['a.ts', 'a.mpg']) {
    const form = name.endsWith('mpg') ? ['-f', 'vob'] : []
    const path = join(root, name)
    await make([...countingSource(400, 2), ...x264, '-g', String(GROUP), ...form, path])
    sources.push(path)
  }
  facts = await factsOf(sources[0] ?? '')
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function factsOf(source: string): Promise<SourceFacts> {
  return (await runStageForTest(runProbe, {}, { inputs: { source }, root: join(root, 'probe') })).output
}

const cases = PLACES.flatMap((place) => [0, 1].map((index) => ({ place, index })))

/** Two frames of the source have one grey. */
const expectedFrom = (place: number, frames: number): number[] =>
  Array.from({ length: frames }, (_, index) => (place + index) / 2)

/** Off by less than a frame: the clock of a stream is not that of its frames. */
function expectMoving(shown: readonly number[], place: number): void {
  const wanted = expectedFrom(place, shown.length)
  expect(Math.max(...shown.map((grey, index) => Math.abs(grey - (wanted[index] ?? 0))))).toBeLessThan(1.01)
}

describe('a stretch between key frames of a stream without an index', () => {
  it.each(cases)('is rendered as it moves: frame $place of source $index', async ({ place, index }) => {
    const source = sources[index] ?? ''
    expect(seeksLoosely(await factsOf(source))).toBe(true)
    const composition = plain({
      fromFrame: place,
      durationFrames: 20,
      source: { ...SIZE, seeksLoosely: true },
    })
    const run = await renderForTest(composition, source, join(root, `run-${place}-${index}`))
    expectMoving(await shownFrames(run.clip), place)
  })

  it('yields the still of its own time', async () => {
    const composition = plain({ fromFrame: 290, durationFrames: 20, source: { ...SIZE, seeksLoosely: true } })
    const file = join(root, 'still.png')
    const moment = buildMoment(composition, 10)
    await make(stillArguments({ ...moment, bands: [], sourceFile: sources[0] ?? '', file }, moment.plan))
    const [grey = 0] = await lumaOf(file, MIDDLE)
    expect(Math.abs((grey * 219) / 255 - 150)).toBeLessThan(1.01)
  })

  it('is analysed at its own time', async () => {
    const looked = join(root, 'look.gray')
    const crop = { x: 0, y: 0, width: 640, height: 360 }
    const args = looksArguments({
      path: sources[0] ?? '',
      videoStream: 0,
      seeksLoosely: true,
      rate: { numerator: 25, denominator: 1 },
      looks: [{ seconds: 10, crop }],
      grey: { width: 16, height: 16 },
    })
    await make(args.map((arg) => (arg === 'pipe:3' ? looked : arg)))
    const pixels = await readFile(looked)
    const grey = pixels.reduce((sum, one) => sum + one, 0) / pixels.length
    expect(Math.abs((grey * 219) / 255 - 150)).toBeLessThan(1.01)
  })

  it('has the pictures of its own moments in the filmstrip', async () => {
    const output = join(root, 'strip.jpg')
    const asked = {
      path: sources[1] ?? '',
      output,
      start: 9,
      spacingSeconds: 1,
      count: 2,
      seeksLoosely: true as const,
    }
    await make(stripArguments({ ...asked, width: 64, height: 64, videoStream: 0, hdr: false }))
    const [[first = 0], [second = 0]] = await Promise.all([
      lumaOf(output, '32:32:16:16'),
      lumaOf(output, '32:32:80:16'),
    ])
    expect(second - first).toBeGreaterThan(10)
  })

  it('is cut for the editor and looked at for faces as it moves', async () => {
    const path = sources[0] ?? ''
    const { output, folder } = await runStageForTest(
      runCut,
      { start: secondsToTicks(3), end: secondsToTicks(4) },
      { inputs: { source: path, probe: root }, results: { probe: facts }, root: join(root, 'cut') },
    )
    const from = Math.round(ticksToSeconds(output.sourceStart) * 30)
    expectMoving((await shownFrames(join(folder, output.file))).slice(0, 20), from)
    const size = { width: 32, height: 32 }
    const asked = { path, streamIndex: 0, start: 3, length: 1, rate: 10, hdr: false, ...size }
    const looked = await make(framesArguments({ ...asked, seeksLoosely: true }))
    const greys = Array.from({ length: 10 }, (_, index) => looked[index * 32 * 32 * 3] ?? 0)
    expect(looked.length).toBe(10 * 32 * 32 * 3)
    expect(greys[9]).toBeGreaterThan((greys[0] ?? 0) + 10)
  })
})
