/**
 * Framing as in a run: the faces stage over a source, its clip compiled, and the crop of each output frame compared
 * with where the faces are, detected again in every frame.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClipFaces } from '../../server/contract/clip-measurements.ts'
import type { CaptionLayer, Composition, Rect } from '../../server/contract/composition.ts'
import { compileComposition } from '../../server/nodes/index.ts'
import { shownFaces } from '../../server/nodes/compose/face-places.ts'
import { captionBlockAt, isShown, shareInside } from '../../server/nodes/layout/quality.ts'
import { findFaceModel } from '../../workers/inference/find-model.ts'
import { loadFaceDetector } from '../../workers/inference/face-detector.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runFaces } from '../../workers/stages/faces/stage.ts'
import { documentOf, factsOf, node, spoken } from '../support/node-values.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { SIZE } from './picture-faces.ts'
import { modelFolders, picturesOf, timed } from './media.ts'

type Handler = Parameters<typeof runStageForTest>[0]

export interface Video {
  readonly file: string
  readonly seconds: number
  readonly sound: boolean
  /** Speaker turns; people are counted from the left. */
  readonly turns: readonly { readonly who: number; readonly start: number; readonly end: number }[]
}

export interface Analysed {
  readonly faces: ClipFaces
  /** The faces of each frame as they are found in it, from left to right: shares of the source's picture. */
  readonly truth: readonly (readonly Rect[])[]
  readonly speed: number
}

/** Frames a second of all these videos and of what is made of them. */
const FRAMES = 25
const SOURCE = { width: 1280, height: 720 } as const

/** Runs the stages and looks at every frame; leaves files in `folder`. */
export async function lookAt(video: Video, folder: string, warn: (line: string) => void): Promise<Analysed> {
  return { ...(await lookFor(video, folder)), truth: await facesOfFrames(video.file, warn) }
}

/** Runs the stages; leaves files in `folder`. */
export async function lookFor(video: Video, folder: string): Promise<Omit<Analysed, 'truth'>> {
  await mkdir(folder, { recursive: true })
  const { file: source, seconds } = video
  const sound = video.sound
    ? await runStageForTest(
        runAudio as Handler,
        { streamIndex: 1, durationSeconds: seconds },
        { inputs: { source }, root: join(folder, 'audio') },
      )
    : null
  const params = { ranges: [{ start: 0, end: seconds }], streamIndex: 0, ...SOURCE, hdr: false }
  const { result, speed } = await timed(seconds, () =>
    runStageForTest(runFaces as Handler, params, {
      inputs: { source, ...(sound === null ? {} : { audio: sound.folder }) },
      results: sound === null ? {} : { audio: sound.output },
      modelFolders: modelFolders(),
      root: join(folder, 'faces'),
    }),
  )
  const [faces] = JSON.parse(await readFile(join(result.folder, 'faces.json'), 'utf8')) as ClipFaces[]
  if (faces === undefined) throw new Error(`nothing was looked at in ${source}`)
  return { faces, speed }
}

async function facesOfFrames(source: string, warn: (line: string) => void): Promise<Rect[][]> {
  const pictures = await picturesOf(source, `fps=${FRAMES},scale=${SIZE.width}:${SIZE.height}`, SIZE)
  const detector = await loadFaceDetector(await findFaceModel(modelFolders()), { inference: 'cpu', warn })
  try {
    const frames: Rect[][] = []
    for (const picture of pictures) {
      const found = await detector.find(picture, SIZE.width, SIZE.height)
      frames.push(
        found.map(({ x, y, width, height }) => ({ x, y, width, height })).toSorted((a, b) => a.x - b.x),
      )
    }
    return frames
  } finally {
    await detector.close()
  }
}

/**
 * The clip of the whole source with these settings of `convert_to_vertical`, and captions of the words in the turns.
 */
export function framed(video: Video, faces: ClipFaces, settings: Record<string, unknown>): Composition {
  const facts = factsOf({
    ...SOURCE,
    frameRate: { numerator: FRAMES, denominator: 1 },
    seconds: video.seconds,
    ...(video.sound ? {} : { audio: null }),
  })
  const talk = video.turns.length === 0 ? [{ start: 0, end: video.seconds }] : video.turns
  const words = talk.flatMap(({ start, end }) =>
    spoken(
      Array.from({ length: Math.floor((end - start) / 0.35) }, () => 'words').join(' '),
      start,
      0.3,
      0.05,
    ),
  )
  const nodes = [node('convert_to_vertical', settings), node('add_subtitles')]
  const range = { startTimestamp: 0, endTimestamp: video.seconds }
  const extended = { start: 0, end: video.seconds, fileStart: 0 }
  const document = documentOf(nodes, { ...range, extended, faces }, facts)
  return compileComposition({ document, words, facts }).composition
}

/** One true face on an output frame, as places in the output. */
function placesOf(face: Rect, second: number, frame: number, composition: Composition): readonly Rect[] {
  const { x, y, width, height } = face
  const only: ClipFaces = {
    start: second - 1,
    end: second + 1,
    shotStarts: [],
    screens: [],
    tracks: [{ id: 0, points: [[second, x, y, width, height]], speaking: [] }],
  }
  const seen = { ...composition, zooms: composition.zooms ?? [] }
  return shownFaces(only, frame, seen)[0]?.places ?? []
}

export interface Framed {
  /** Frames with a face in the source, and those of them in which one is shown: three quarters of its box, and all of it. */
  readonly withFace: number
  readonly shown: number
  readonly whole: number
  /** Frames in which a person talks, and those of them that show the person who talks. */
  readonly talking: number
  readonly onSpeaker: number
  readonly captioned: number
  readonly captionOnFace: number
  /** For each turn, seconds from its start until its speaker is shown; null: not before it ends. */
  readonly delays: readonly (number | null)[]
}

/** Holds every output frame against the true faces of its source frame. */
export function holdAgainst(video: Video, truth: Analysed['truth'], composition: Composition): Framed {
  const counts = { withFace: 0, shown: 0, whole: 0, talking: 0, onSpeaker: 0, captioned: 0, captionOnFace: 0 }
  const captions = composition.layers.find((layer): layer is CaptionLayer => layer.kind === 'captions')
  const shows: boolean[][] = []
  for (let frame = 0; frame < composition.durationFrames; frame++) {
    const second = frame / FRAMES
    const places = (truth[frame] ?? []).map((face) => placesOf(face, second, frame, composition))
    const shown = places.map(isShown)
    shows.push(shown)
    if (places.length > 0) counts.withFace += 1
    if (shown.includes(true)) counts.shown += 1
    const inside = (box: Rect): boolean => shareInside(box, { x: 0, y: 0, width: 1, height: 1 }) > 0.999
    if (places.some((boxes) => boxes.some(inside))) counts.whole += 1
    const turn = video.turns.find(({ start, end }) => second >= start && second < end)
    if (turn !== undefined) counts.talking += 1
    if (turn !== undefined && shown[turn.who] === true) counts.onSpeaker += 1
    const block = captions === undefined ? null : captionBlockAt(captions, frame, composition.output)
    if (block === null) continue
    counts.captioned += 1
    if (places.some((boxes) => boxes.some((box) => shareInside(box, block) > 0.1))) counts.captionOnFace += 1
  }
  const delays = video.turns.map(({ who, start, end }) => delayOf(shows, who, start, end))
  return { ...counts, delays }
}

/** Negative where the speaker was shown already: how long before the turn that began. */
function delayOf(
  shows: readonly (readonly boolean[])[],
  who: number,
  start: number,
  end: number,
): number | null {
  const first = Math.ceil(start * FRAMES)
  let frame = first
  if (shows[frame]?.[who] === true) {
    while (frame > 0 && shows[frame - 1]?.[who] === true) frame -= 1
  } else {
    while (frame < end * FRAMES && shows[frame]?.[who] !== true) frame += 1
    if (frame >= end * FRAMES) return null
  }
  return frame / FRAMES - start
}
