/**
 * Reads small pictures of the whole source, measures the changes between them, and detects faces in some of them. It goes by
 * pieces of the source, each read by an ffmpeg of its own, so that an interrupted attempt can go on.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { chooseModel } from '../../../models/installed.ts'
import type { PictureFacts } from '../../../server/contract/source-facts.ts'
import { openCheckpoints } from '../../checkpoints.ts'
import { loadFaceDetector, type FaceDetector } from '../../inference/face-detector.ts'
import { frameTimes, lookFramesArguments } from '../../media/arguments/frames.ts'
import { looseSeek } from '../../media/arguments/input.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { detectorSize, greyOf, splitPictures, type Grey } from '../faces/pure/face.ts'
import { changeBetween, signatureOf, type Signature } from '../faces/pure/shots.ts'

const FILE = 'picture.json'
/** Seconds. A shorter source is decoded quickly, and may have few keyframes. */
const SHORT = 120
const RATE = 4
/** Seconds of a piece of a short source, and of one whose keyframes alone are decoded. */
const SHORT_PIECE = 30
const LONG_PIECE = 600
/** Positions of checkpoints in a piece: more than it has pictures. */
export const PIECE_POSITIONS = 10_000
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

/** What is known after a piece. */
interface Seen {
  readonly pieces: number
  readonly looks: readonly Look[]
  /** The size of the largest face by picture; -1 before one was searched. */
  readonly faces: readonly number[]
  readonly searchedAt: number
  readonly before: ComparedPicture | null
}

const NOTHING: Seen = { pieces: 0, looks: [], faces: [], searchedAt: -Infinity, before: null }

/** Measures every picture, piece by piece. */
function analyse(context: Context, params: Params, detector: FaceDetector | null): Promise<Seen> {
  const checkpoints = openCheckpoints(context)
  const seconds = params.durationSeconds > SHORT ? LONG_PIECE : SHORT_PIECE
  const count = Math.max(1, Math.ceil(params.durationSeconds / seconds - 1e-6))
  const position = (pieces: number): number => PIECE_POSITIONS * pieces
  return checkpoints.passPieces('piece', { first: NOTHING, count, position }, async (before) => {
    const { pieces } = before
    const range = { start: pieces * seconds, end: pieces + 1 < count ? (pieces + 1) * seconds : null }
    const once = await checkpoints.resumeValues<number>('found', pieces, position(pieces))
    return lookOverPiece(context, { params, detector, range, search: once }, before)
  })
}

interface PieceWork {
  readonly params: Params
  readonly detector: FaceDetector | null
  readonly range: Range
  /** Passes on the size of a face; one that an interrupted attempt has found is not looked for again. */
  readonly search: (find: () => Promise<number>) => Promise<number>
}

/** Seconds; `end` null: to the end of the source. */
interface Range {
  readonly start: number
  readonly end: number | null
}

async function lookOverPiece(context: Context, work: PieceWork, before: Seen): Promise<Seen> {
  const { params, detector, range, search } = work
  const { width, height } = detectorSize(params, LONG_SIDE)
  const changes = watchChanges(before.before)
  const looks = [...before.looks]
  const faces = [...before.faces]
  const apart = Math.max(SEARCH_APART, params.durationSeconds / MAX_SEARCHED)
  let { searchedAt } = before
  await eachPicture(context, params, range, { width, height }, async (time, bgr) => {
    const last = looks.at(-1)?.time ?? -Infinity
    // The first of a piece may be one before it, or too near to the last one of the piece before.
    if (time < range.start - 1e-6 || time - last < picturesApart(params) - 1e-6) return
    looks.push(changes.measure(time, greyOf(bgr, width, height)))
    let size = faces.at(-1) ?? -1
    if (detector !== null && time - searchedAt >= apart) {
      size = await search(async () => {
        const found = await detector.find(bgr, width, height)
        return found.reduce((most, face) => Math.max(most, face.width * face.height), 0)
      })
      searchedAt = time
    }
    faces.push(size)
    context.progress(Math.min(0.99, time / Math.max(0.1, params.durationSeconds)))
  })
  return { pieces: before.pieces + 1, looks, faces, searchedAt, before: changes.state() }
}

const picturesApart = ({ durationSeconds }: Params): number => durationSeconds / MAX_PICTURES

/** Passes each picture on with its time while ffmpeg waits. Times come through a pipe of their own, before or after. */
async function eachPicture(
  context: Context,
  params: Params,
  { start, end }: Range,
  { width, height }: { width: number; height: number },
  take: (time: number, bgr: Uint8Array) => Promise<void>,
): Promise<void> {
  const { from } = looseSeek(start, params)
  const times: number[] = []
  const waiting: Uint8Array[] = []
  let work = Promise.resolve()
  // One after the other, whichever pipe delivered the second half.
  const pair = (): Promise<void> => (work = work.then(pairUp))
  const pairUp = async (): Promise<void> => {
    while (times.length > 0 && waiting.length > 0)
      await take(from + (times.shift() ?? 0), waiting.shift() ?? new Uint8Array())
  }
  const args = lookFramesArguments({
    ...params,
    path: context.input('source'),
    start,
    end,
    width,
    height,
    pictures: params.durationSeconds > SHORT ? 'keyframes' : RATE,
    apart: picturesApart(params),
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

/** What the next picture is compared with. */
interface ComparedPicture {
  readonly signature: Signature
  readonly cells: Float32Array
}

/** Expects one picture after the other. `state`: of pictures that were measured before. */
export function watchChanges(state: ComparedPicture | null = null) {
  let before = state
  return {
    state: (): ComparedPicture | null => before,
    measure: (time: number, picture: Grey): Look => {
      const now = { signature: signatureOf(picture), cells: averageCells(picture) }
      const last = before
      before = now
      if (last === null) return { time, change: 0, motion: 0 }
      const difference = now.cells.reduce(
        (sum, value, at) => sum + Math.abs(value - (last.cells[at] ?? 0)),
        0,
      )
      return {
        time,
        change: changeBetween(last.signature, now.signature),
        // A fifth of the range on average is the most that moves without a cut.
        motion: Math.min(1, difference / now.cells.length / 255 / 0.2),
      }
    },
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
