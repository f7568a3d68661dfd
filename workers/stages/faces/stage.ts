/** Decodes ranges of the source at a small size, detects faces in some of the pictures, tracks them and finds who speaks. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Banner, ClipFaces, FaceBoxes } from '../../../server/contract/clip-measurements.ts'
import type { InstalledModel } from '../../../models/installed.ts'
import { loadFaceDetector, type FaceDetector } from '../../inference/face-detector.ts'
import { findFaceModel } from '../../inference/find-model.ts'
import { framesArguments } from '../../media/arguments/frames.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import { readResult, readEnvelope } from '../read-results.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { findBanners } from './pure/banners.ts'
import { watchEdges, type EdgePicture } from './pure/edges.ts'
import { followFaces, thinPath } from './pure/follow.ts'
import { detectorSize, greyOf, splitPictures, widenToBack, type Grey, type Track } from './pure/face.ts'
import { findScreens } from './pure/insets.ts'
import { findSplits } from './pure/splits.ts'
import { watchShots } from './pure/shots.ts'
import { detectActiveSpeakers } from './pure/speaking.ts'

/** Analysed pictures per second: lips move about five times a second. */
const RATE = 12.5
/** Every how many pictures faces are detected: a face hardly moves in a quarter of a second. */
const DETECT_EVERY = 3
const LONG_SIDE = 640
/** Fainter faces are taken where somebody is followed: turned, bowed, half hidden. */
const FOLLOWED_SCORE = 0.45
const FILE = 'faces.json'
const BOXES_FILE = 'boxes.json'

type Context = StageContext<'source' | 'audio'>
type Params = Parameters<StageHandler<'faces'>>[1]
type Range = Params['ranges'][number]

export const runFaces: StageHandler<'faces'> = async (context, params) => {
  const model = await findFaceModel(context.modelFolders)
  await using detector = await loadFaceDetector(model, context)
  return await analyseRanges(context, params, detector, model)
}

async function analyseRanges(
  context: Context,
  params: Params,
  detector: FaceDetector,
  model: InstalledModel,
): ReturnType<StageHandler<'faces'>> {
  const total = params.ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  const found: ClipFaces[] = []
  const boxes: FaceBoxes[] = []
  let done = 0
  let pictures = 0
  for (const range of params.ranges) {
    const seen = await analyseRange(context, params, range, detector, (time) =>
      context.progress(Math.min(1, (done + time - range.start) / Math.max(0.1, total))),
    )
    done += range.end - range.start
    pictures += seen.searched
    const voiced = await detectVoiceAt(context, seen.times)
    const speaking = detectActiveSpeakers({ tracks: seen.tracks, times: seen.times, voiced })
    const splits = findSplits(seen.edges, seen.tracks, seen.shotStarts)
    const screens = findScreens(seen.tracks, seen.edges).filter(
      (one) => !splits.some((split) => one.start < split.end && split.start < one.end),
    )
    // The letters of a screen are its own.
    const banners = findBanners(seen.edges).filter(
      (one) => !screens.some((screen) => one.start < screen.end && screen.start < one.end),
    )
    found.push({
      start: range.start,
      end: range.end,
      shotStarts: seen.shotStarts,
      tracks: seen.tracks.map((track, index) => presentTrack(track, speaking[index] ?? [], params)),
      screens,
      banners: banners.map((one) => ({ ...roundedTimes(one), box: roundedBox(one.box) })),
      splits: splits.map((one) => ({
        ...roundedTimes(one),
        boxes: one.boxes.map(roundedBox),
      })),
    })
    boxes.push({ start: range.start, end: range.end, tracks: seen.tracks.map(listBoxes) })
  }
  await writeFile(join(context.folder, FILE), JSON.stringify(found))
  await writeFile(join(context.folder, BOXES_FILE), JSON.stringify(boxes))
  const tracks = found.reduce((sum, one) => sum + one.tracks.length, 0)
  return {
    file: FILE,
    boxesFile: BOXES_FILE,
    pictures,
    tracks,
    model: model.name,
    provider: detector.provider,
  }
}

interface Seen {
  readonly tracks: Track[]
  readonly shotStarts: number[]
  readonly times: number[]
  readonly searched: number
  readonly edges: readonly EdgePicture[]
}

async function analyseRange(
  context: Context,
  params: Params,
  range: Range,
  detector: FaceDetector,
  onTime: (time: number) => void,
): Promise<Seen> {
  const { width, height } = detectorSize(params, LONG_SIDE)
  const follower = followFaces()
  const shots = watchShots()
  const edges = watchEdges()
  const times: number[] = []
  const shotStarts: number[] = []
  let searched = 0
  let waiting: { time: number; picture: Grey; bgr: Uint8Array }[] = []
  const search = async (): Promise<void> => {
    const last = waiting.at(-1)
    if (last === undefined) return
    const faces = await detector.find(last.bgr, width, height, FOLLOWED_SCORE)
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
  await eachPicture(context, { params, range, width, height }, take)
  await search()
  const tracks = follower.finish().map((track, id) => ({ ...track, id }))
  return { tracks, shotStarts, times, searched, edges: edges.pictures() }
}

/** Passes each picture on while ffmpeg waits, so that two or three are in memory however long the range is. */
async function eachPicture(
  context: Context,
  request: { params: Params; range: Range; width: number; height: number },
  take: (bgr: Uint8Array) => Promise<void>,
): Promise<void> {
  const { params, range, width, height } = request
  const { start, end } = range
  const path = context.input('source')
  const args = framesArguments({ ...params, path, start, length: end - start, rate: RATE, width, height })
  await runFfmpeg(context, args, {
    stallSeconds: 120,
    // Faces are detected in the latest picture, or at a cut in the one before it.
    onStdout: splitPictures(width * height * 3, take, 2),
  })
}

/** Seconds around a moment whose levels count, because a voice dips between syllables. */
const LEVEL_WINDOW_SECONDS = 0.12

/** Whether the sound is as loud as speech at each of these times; always false for a source without sound. */
async function detectVoiceAt(context: Context, times: readonly number[]): Promise<boolean[]> {
  const first = times[0]
  const last = times.at(-1)
  if (!context.hasInput('audio') || first === undefined || last === undefined) return times.map(() => false)
  const sound = await readResult(context, 'audio')
  if (sound.silent) return times.map(() => false)
  const hop = sound.envelopeHopSeconds
  const from = Math.max(0, Math.floor((first - LEVEL_WINDOW_SECONDS) / hop))
  const levels = await readEnvelope(
    join(context.input('audio'), sound.envelopeFile),
    from,
    Math.ceil((last + LEVEL_WINDOW_SECONDS) / hop) - from,
  )
  const threshold = sound.noiseLevelDb + 0.5 * (sound.speechLevelDb - sound.noiseLevelDb)
  return times.map((time) => {
    const near = levels.subarray(
      Math.max(0, Math.floor((time - LEVEL_WINDOW_SECONDS) / hop) - from),
      Math.max(0, Math.ceil((time + LEVEL_WINDOW_SECONDS) / hop) - from),
    )
    return near.some((level) => level >= threshold)
  })
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

const roundedTimes = ({ start, end }: { start: number; end: number }) => ({
  start: rounded(start),
  end: rounded(end),
})

const roundedBox = ([x, y, width, height]: Banner['box']): Banner['box'] => [
  rounded(x),
  rounded(y),
  rounded(width),
  rounded(height),
]

/** Every box of a track, for those who measure: what is stored with clips is thinned. */
function listBoxes({ id, points }: Track): FaceBoxes['tracks'][number] {
  const boxes = points.map(({ time, face }) => ({
    time: rounded(time),
    x: rounded(face.x),
    y: rounded(face.y),
    width: rounded(face.width),
    height: rounded(face.height),
    score: rounded(face.score),
  }))
  return { id, boxes }
}

function presentTrack(
  track: Track,
  speaking: readonly { start: number; end: number }[],
  { width, height }: Params,
): ClipFaces['tracks'][number] {
  return {
    id: track.id,
    points: thinPath(track.points).map(({ time, face }) => {
      const box = widenToBack(face, width / height)
      return [rounded(time), rounded(box.x), rounded(box.y), rounded(box.width), rounded(box.height)]
    }),
    speaking: speaking.map(({ start, end }) => ({ start: rounded(start), end: rounded(end) })),
  }
}
