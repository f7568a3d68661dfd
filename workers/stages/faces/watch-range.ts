/**
 * Looks at the pictures of one range, piece by piece. After each piece what was seen is a checkpoint, from which an
 * interrupted attempt goes on; an undisturbed one goes by the same pieces, so that its result is the same. Inside of a piece,
 * which takes long on a busy machine, the faces that were found are kept now and then: reading the pictures again is cheap.
 */
import type { Checkpoints } from '../../checkpoints.ts'
import type { FaceDetector } from '../../inference/face-detector.ts'
import { framesArguments } from '../../media/arguments/frames.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { watchEdges, type EdgePicture, type EdgesState } from './pure/edges.ts'
import { detectorSize, greyOf, splitPictures, type Grey, type Track } from './pure/face.ts'
import { followFaces, type FollowState } from './pure/follow.ts'
import { watchShots, type ShotsState } from './pure/shots.ts'

/** Analysed pictures per second: lips move about five times a second. */
const RATE = 12.5
/** Every how many pictures faces are detected: a face hardly moves in a quarter of a second. */
const DETECT_EVERY = 3
const LONG_SIDE = 640
/** Fainter faces are taken where somebody is followed: turned, bowed, half hidden. */
const FOLLOWED_SCORE = 0.45
/** Pictures of a piece: 6 seconds, which take two on a usual core. */
const PIECE_PICTURES = 75
const PIECE_SECONDS = PIECE_PICTURES / RATE
/** Positions of checkpoints in a piece: more than it has pictures. */
export const PIECE_POSITIONS = 100

type Context = StageContext<'source' | 'audio'>
type Params = Parameters<StageHandler<'faces'>>[1]
type Range = Params['ranges'][number]

interface Seen {
  readonly tracks: Track[]
  readonly shotStarts: number[]
  readonly times: number[]
  readonly searched: number
  readonly edges: readonly EdgePicture[]
}

export interface Watching {
  readonly context: Context
  readonly params: Params
  readonly range: Range
  readonly detector: FaceDetector
  readonly checkpoints: Checkpoints
  /** Names the range within the stage, and counts the pieces of the ranges before. */
  readonly place: { readonly name: string; readonly piecesBefore: number }
  readonly onTime: (time: number) => void
}

/** Everything that is known after a piece. */
interface State {
  readonly pieces: number
  readonly follower?: FollowState
  readonly shots?: ShotsState
  readonly edges?: EdgesState
  readonly times: readonly number[]
  readonly shotStarts: readonly number[]
  readonly searched: number
}

const NOTHING: State = { pieces: 0, times: [], shotStarts: [], searched: 0 }

export const countPieces = ({ start, end }: Range): number =>
  Math.max(1, Math.ceil((end - start) / PIECE_SECONDS - 1e-6))

export async function watchRange(watching: Watching): Promise<Seen> {
  const { range, checkpoints, place } = watching
  const state = await checkpoints.passPieces(
    place.name,
    {
      first: NOTHING,
      count: countPieces(range),
      position: (pieces) => PIECE_POSITIONS * (place.piecesBefore + pieces),
    },
    (before) => watchPiece(watching, before),
  )
  const tracks = followFaces(state.follower)
    .finish()
    .map((track, id) => ({ ...track, id }))
  const { times, shotStarts, searched } = state
  return {
    tracks,
    shotStarts: [...shotStarts],
    times: [...times],
    searched,
    edges: state.edges?.stored ?? [],
  }
}

/** Removes the checkpoints inside a range whose result is stored. */
export async function forgetPieces(checkpoints: Checkpoints, name: string): Promise<void> {
  await checkpoints.remove(`${name}-0`)
  await checkpoints.remove(`${name}-1`)
  await checkpoints.remove(`${name}-found`)
}

type Faces = Awaited<ReturnType<FaceDetector['find']>>

async function watchPiece(watching: Watching, before: State): Promise<State> {
  const { params, range, detector, checkpoints, place, onTime } = watching
  const { width, height } = detectorSize(params, LONG_SIDE)
  const follower = followFaces(before.follower)
  const shots = watchShots(before.shots)
  const edges = watchEdges(before.edges)
  const times = [...before.times]
  const shotStarts = [...before.shotStarts]
  let { searched } = before
  const position = PIECE_POSITIONS * (place.piecesBefore + before.pieces)
  const once = await checkpoints.resumeValues<Faces>(`${place.name}-found`, before.pieces, position)
  let waiting: { time: number; picture: Grey; bgr: Uint8Array }[] = []
  const search = async (): Promise<void> => {
    const last = waiting.at(-1)
    if (last === undefined) return
    const faces = await once(() => detector.find(last.bgr, width, height, FOLLOWED_SCORE))
    searched += 1
    follower.add(waiting, faces)
    edges.add(last.picture, last.time)
    waiting = []
  }
  const take = async (bgr: Uint8Array): Promise<void> => {
    const time = range.start + times.length / RATE
    const picture = greyOf(bgr, width, height)
    if (shots.begins(picture)) {
      await search()
      follower.endShot()
      shotStarts.push(time)
    }
    times.push(time)
    waiting.push({ time, picture, bgr })
    const first = shotStarts.at(-1) === time || times.length === 1
    if (first || waiting.length >= DETECT_EVERY) await search()
    onTime(time)
  }
  await eachPicture(watching, before.pieces, { width, height }, take)
  await search()
  return {
    pieces: before.pieces + 1,
    follower: follower.state(),
    shots: shots.state(),
    edges: edges.state(),
    times,
    shotStarts,
    searched,
  }
}

/** Passes each picture of a piece on while ffmpeg waits, so that two or three are in memory at a time. */
async function eachPicture(
  { context, params, range }: Watching,
  piece: number,
  { width, height }: { width: number; height: number },
  take: (bgr: Uint8Array) => Promise<void>,
): Promise<void> {
  const start = range.start + piece * PIECE_SECONDS
  const length = Math.min(PIECE_SECONDS, range.end - start)
  const path = context.input('source')
  const args = framesArguments({ ...params, path, start, length, rate: RATE, width, height })
  await runFfmpeg(context, args, {
    stallSeconds: 120,
    // Faces are detected in the latest picture, or at a cut in the one before it.
    onStdout: splitPictures(width * height * 3, take, 2),
  })
}
