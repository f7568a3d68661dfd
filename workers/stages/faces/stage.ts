/** Decodes ranges of the source at a small size, detects faces in some of the pictures, tracks them and finds who speaks. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Banner, ClipFaces, FaceBoxes } from '../../../server/contract/clip-measurements.ts'
import { openCheckpoints } from '../../checkpoints.ts'
import type { InstalledModel } from '../../../models/installed.ts'
import { loadFaceDetector, type FaceDetector } from '../../inference/face-detector.ts'
import { findFaceModel } from '../../inference/find-model.ts'
import { readResult, readEnvelope } from '../read-results.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { findBanners } from './pure/banners.ts'
import { thinPath } from './pure/follow.ts'
import { widenToBack, type Track } from './pure/face.ts'
import { findScreens } from './pure/insets.ts'
import { findSplits } from './pure/splits.ts'
import { detectActiveSpeakers } from './pure/speaking.ts'
import { countPieces, forgetPieces, PIECE_POSITIONS, watchRange, type Watching } from './watch-range.ts'

const FILE = 'faces.json'
const BOXES_FILE = 'boxes.json'

type Context = StageContext<'source' | 'audio'>
type Params = Parameters<StageHandler<'faces'>>[1]

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
  const checkpoints = openCheckpoints(context)
  const found: Analysed[] = []
  let done = 0
  let pieces = 0
  for (const [index, range] of params.ranges.entries()) {
    const place = { name: `range-${index}-piece`, piecesBefore: pieces }
    pieces += countPieces(range) + 1
    const report = (time: number): void =>
      context.progress(Math.min(1, (done + time - range.start) / Math.max(0.1, total)))
    const watching = { context, params, range, detector, checkpoints, place, onTime: report }
    const position = PIECE_POSITIONS * pieces
    found.push(await checkpoints.keep(`range-${index}`, position, () => analyseRange(watching)))
    await forgetPieces(checkpoints, place.name)
    report(range.end)
    done += range.end - range.start
  }
  await writeFile(join(context.folder, FILE), JSON.stringify(found.map(({ faces }) => faces)))
  await writeFile(join(context.folder, BOXES_FILE), JSON.stringify(found.map(({ boxes }) => boxes)))
  const sumOf = (count: (one: Analysed) => number): number => found.reduce((sum, one) => sum + count(one), 0)
  return {
    file: FILE,
    boxesFile: BOXES_FILE,
    pictures: sumOf(({ searched }) => searched),
    tracks: sumOf(({ faces }) => faces.tracks.length),
    model: model.name,
    provider: detector.provider,
  }
}

interface Analysed {
  readonly faces: ClipFaces
  readonly boxes: FaceBoxes
  readonly searched: number
}

async function analyseRange(watching: Watching): Promise<Analysed> {
  const { context, params, range } = watching
  const seen = await watchRange(watching)
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
  const faces: ClipFaces = {
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
  }
  const boxes = { start: range.start, end: range.end, tracks: seen.tracks.map(listBoxes) }
  return { faces, boxes, searched: seen.searched }
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
