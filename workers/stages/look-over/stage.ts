/** Reads small pictures of the whole source, measures the changes between them, and detects faces in some of them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { chooseModel } from '../../../models/installed.ts'
import type { PictureFacts } from '../../../server/contract/source-facts.ts'
import { loadFaceDetector, type FaceDetector } from '../../inference/face-detector.ts'
import { frameTimes, lookFramesArguments } from '../../media/arguments/frames.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { detectorSize, greyOf, splitPictures, type Grey } from '../faces/pure/face.ts'
import { changeBetween, signatureOf, type Signature } from '../faces/pure/shots.ts'

const FILE = 'picture.json'
/** Seconds. A shorter source is decoded quickly, and may have few keyframes. */
const SHORT = 120
const RATE = 4
/** Maximum number of pictures; long sources have fewer per minute. */
const MAX_PICTURES = 4000
/** Maximum number of pictures with face detection, and the minimum of seconds between them. */
const MAX_SEARCHED = 1000
const SEARCH_APART = 1.5
const LONG_SIDE = 320

type Context = StageContext<'source'>
type Params = Parameters<StageHandler<'look-over'>>[1]

export const runLookOver: StageHandler<'look-over'> = async (context, params) => {
  const model = await chooseModel(context.modelFolders, 'faces')
  await using detector = model === null ? null : await loadFaceDetector(model, context)
  const { looks, faces } = await analyse(context, params, detector)
  const cuts = cutsIn(looks)
  const cutAt = new Set(cuts)
  const facts: PictureFacts = {
    cuts: cuts.map(rounded),
    looks: looks.map(({ time, motion }, at) => [
      rounded(time),
      cutAt.has(time) ? 0 : rounded(motion),
      rounded(faces[at] ?? -1),
    ]),
  }
  await writeFile(join(context.folder, FILE), JSON.stringify(facts))
  const searched =
    model === null || detector === null ? {} : { model: model.name, provider: detector.provider }
  return { pictureFile: FILE, pictures: looks.length, cuts: cuts.length, ...searched }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** Measures every picture. `faces` has the size of the largest face by picture index, and no entry where none was searched. */
async function analyse(context: Context, params: Params, detector: FaceDetector | null) {
  const { width, height } = detectorSize(params, LONG_SIDE)
  const measure = watchChanges()
  const looks: Look[] = []
  const faces: number[] = []
  const apart = Math.max(SEARCH_APART, params.durationSeconds / MAX_SEARCHED)
  let searchedAt = -Infinity
  let known = -1
  await eachPicture(context, params, { width, height }, async (time, bgr) => {
    looks.push(measure(time, greyOf(bgr, width, height)))
    if (detector !== null && time - searchedAt >= apart) {
      const found = await detector.find(bgr, width, height)
      known = found.reduce((most, face) => Math.max(most, face.width * face.height), 0)
      searchedAt = time
    }
    faces.push(known)
    context.progress(Math.min(0.99, time / Math.max(0.1, params.durationSeconds)))
  })
  return { looks, faces }
}

/** Passes each picture on with its time while ffmpeg waits. Times come through a pipe of their own, before or after. */
async function eachPicture(
  context: Context,
  params: Params,
  { width, height }: { width: number; height: number },
  take: (time: number, bgr: Uint8Array) => Promise<void>,
): Promise<void> {
  const { streamIndex, durationSeconds } = params
  const times: number[] = []
  const waiting: Uint8Array[] = []
  let work = Promise.resolve()
  // One after the other, whichever pipe delivered the second half.
  const pair = (): Promise<void> => (work = work.then(pairUp))
  const pairUp = async (): Promise<void> => {
    while (times.length > 0 && waiting.length > 0)
      await take(times.shift() ?? 0, waiting.shift() ?? new Uint8Array())
  }
  const args = lookFramesArguments({
    path: context.input('source'),
    streamIndex,
    width,
    height,
    pictures: durationSeconds > SHORT ? 'keyframes' : RATE,
    apart: durationSeconds / MAX_PICTURES,
  })
  await runFfmpeg(context, args, {
    stallSeconds: 120,
    onStdout: splitPictures(width * height * 3, (picture) => {
      waiting.push(picture)
      return pair()
    }),
    outputs: [
      async (pipe: Readable) => {
        const read = frameTimes()
        for await (const chunk of pipe) {
          times.push(...read(String(chunk)))
          await pair()
        }
      },
    ],
  })
  await pair()
}

export interface Look {
  readonly time: number
  /** Change of tones and their places since the previous picture: 0 none, about 1 complete. */
  readonly change: number
  /** Change of the content since the previous picture: 0 to 1. */
  readonly motion: number
}

/** Seconds: pictures closer than this are consecutive. */
const NEAR = 0.5
/** Minimum change at a cut. */
const MIN_CHANGE = 0.16
/** Minimum change at an early keyframe. */
const EARLY_CHANGE = 0.08
const EARLY = 0.97
const TIMES_USUAL = 3.5
/** Number of pictures around one that define what is usual. */
const AROUND = 12
/** Pictures this many seconds apart do not show where a cut is. */
const FAR = 20

/** Expects one picture after the other. */
export function watchChanges(): (time: number, picture: Grey) => Look {
  let before: { signature: Signature; cells: Float32Array } | null = null
  return (time, picture) => {
    const now = { signature: signatureOf(picture), cells: averageCells(picture) }
    const last = before
    before = now
    if (last === null) return { time, change: 0, motion: 0 }
    const difference = now.cells.reduce((sum, value, at) => sum + Math.abs(value - (last.cells[at] ?? 0)), 0)
    return {
      time,
      change: changeBetween(last.signature, now.signature),
      // A fifth of the range on average is the most that moves without a cut.
      motion: Math.min(1, difference / now.cells.length / 255 / 0.2),
    }
  }
}

/** Times at which new shots begin. */
export function cutsIn(looks: readonly Look[]): number[] {
  const gaps = looks.map(({ time }, at) => time - (looks[at - 1]?.time ?? time))
  const regular = Math.max(0, ...gaps)
  const changes = looks.map(({ change }) => change)
  return looks.flatMap(({ time, change }, at) => {
    const gap = gaps[at] ?? 0
    if (at === 0 || gap > FAR) return []
    // Only keyframes can be early; pictures at a constant rate are equally far apart.
    const early = regular > NEAR && gap < EARLY * regular && gap > 0
    const cut = change >= MIN_CHANGE && change >= TIMES_USUAL * findUsualChange(changes, at)
    return cut || (early && change >= EARLY_CHANGE) ? [time] : []
  })
}

/** The usual change without a cut: the lower quartile of the changes around one, because cuts may be frequent. */
function findUsualChange(changes: readonly number[], at: number): number {
  const from = Math.max(1, at - AROUND)
  const near = changes.slice(from, at + 1 + AROUND).filter((_, index) => from + index !== at)
  return near.toSorted((a, b) => a - b)[near.length >> 2] ?? 0
}

const COLUMNS = 40
const ROWS = 24

/** The picture in 40 by 24 cells, 0 to 255. */
function averageCells({ width, height, pixels }: Grey): Float32Array {
  const sums = new Float32Array(COLUMNS * ROWS)
  const counts = new Float32Array(COLUMNS * ROWS)
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * ROWS) / height) * COLUMNS
    for (let x = 0; x < width; x += 1) {
      const cell = row + Math.floor((x * COLUMNS) / width)
      sums[cell] = (sums[cell] ?? 0) + (pixels[y * width + x] ?? 0)
      counts[cell] = (counts[cell] ?? 0) + 1
    }
  }
  return sums.map((sum, cell) => sum / Math.max(1, counts[cell] ?? 1))
}
