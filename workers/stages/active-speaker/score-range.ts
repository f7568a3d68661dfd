/**
 * Scores the faces of one range, piece by piece: a few windows whose pictures one ffmpeg reads. After each piece its scores
 * are a checkpoint; an undisturbed attempt goes by the same pieces, so that its result is the same. Inside of a piece the
 * model's answers are kept now and then: reading the pictures again is cheap.
 */
import type { FaceBoxes } from '../../../server/contract/clip-measurements.ts'
import type { Checkpoints } from '../../checkpoints.ts'
import type { ActiveSpeakerModel } from '../../inference/active-speaker.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import type { WavFile } from '../../inference/wav-file.ts'
import { framesArguments } from '../../media/arguments/frames.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { splitPictures } from '../faces/pure/face.ts'
import { CROP, cutOut, pictureSize, RATE, squaresOf, type Square } from './pure/crops.ts'
import type { Piece, RangeScores } from './pure/evidence.ts'
import { computeMfcc } from './pure/mfcc.ts'
import { chooseOthers, fitRows, rotated, type Turn, type Window } from './pure/windows.ts'

/** Seconds of source that one ffmpeg reads: two long windows. More of them would be read again after an interruption. */
const PIECE_SECONDS = 16.5
/** Positions of checkpoints in a piece: more than the model is asked in it, by sounds and faces of all windows of 0.4 s. */
export const PIECE_POSITIONS = 1000
/** Other stretches of the source that lips are compared with, and turns of the own sound, in pictures. */
const MOST_OTHERS = 2
const ROTATIONS = [-15, 15]
/** Scores below this are of lips that do not move, whatever the sound. */
const STILL = -1.5
/** Seconds of sound that the last row of a picture reaches beyond it. */
const OVERHANG = 0.02

export type Context = StageContext<'source' | 'audio' | 'faces' | 'voice' | 'speakers'>
type Params = Parameters<StageHandler<'active-speaker'>>[1]

export interface Work {
  readonly context: Context
  readonly params: Params
  readonly wav: WavFile
  readonly model: ActiveSpeakerModel
  readonly checkpoints: Checkpoints
  /** Of all ranges. */
  readonly windows: readonly Window[]
  readonly turns: readonly Turn[]
}

/** The scores of one face in one window. */
interface FaceScores {
  readonly id: number
  readonly scores: Piece
}

/** A window whose pictures are being collected. */
interface OpenWindow {
  readonly window: Window
  /** The first of its pictures, counted from the start of the range. */
  readonly first: number
  readonly faces: { readonly id: number; readonly squares: readonly Square[]; crops: Uint8Array }[]
}

/** What the model says of each face of a range in the range's own windows. `pieces`: how many there are of earlier ranges. */
export async function scoreRange(
  work: Work,
  range: FaceBoxes,
  own: readonly Window[],
  piecesBefore: number,
): Promise<RangeScores> {
  const { checkpoints, params } = work
  const size = pictureSize(
    own.flatMap(({ tracks }) => tracks),
    params,
  )
  const found: FaceScores[] = []
  for (const [index, windows] of splitWindows(own).entries()) {
    const piece = piecesBefore + index
    const position = PIECE_POSITIONS * (piece + 1)
    const score = (): Promise<FaceScores[]> => scorePiece(work, { range, windows, piece, size })
    found.push(...(await checkpoints.keep(`piece-${piece}`, position, score)))
    reportProgress(work, windows.at(-1))
  }
  return {
    start: range.start,
    end: range.end,
    tracks: range.tracks.map(({ id }) => ({
      id,
      pieces: found.flatMap((one) => (one.id === id ? [one.scores] : [])),
    })),
  }
}

/** Windows whose pictures are read together. */
export function splitWindows(windows: readonly Window[]): Window[][] {
  const pieces: Window[][] = []
  for (const window of windows) {
    const last = pieces.at(-1)
    if (last?.[0] !== undefined && window.end - last[0].start <= PIECE_SECONDS) last.push(window)
    else pieces.push([window])
  }
  return pieces
}

function reportProgress({ context, windows }: Work, window: Window | undefined): void {
  if (window !== undefined) context.progress((windows.indexOf(window) + 1) / windows.length)
}

interface PieceWork {
  readonly range: FaceBoxes
  readonly windows: readonly Window[]
  /** Its number among the pieces of all ranges. */
  readonly piece: number
  readonly size: ReturnType<typeof pictureSize>
}

async function scorePiece(work: Work, { range, windows, piece, size }: PieceWork): Promise<FaceScores[]> {
  const { context, params, checkpoints } = work
  const once = await checkpoints.resumeValues<Float32Array>('found', piece, PIECE_POSITIONS * piece)
  const found: FaceScores[] = []
  const waiting = windows.map((window) => openWindow(window, range, size))
  let picture = waiting[0]?.first ?? 0
  const start = range.start + picture / RATE
  const take = async (pixels: Uint8Array): Promise<void> => {
    throwIfCancelled(context.signal)
    const [current] = waiting
    const at = picture - (current?.first ?? Infinity)
    picture += 1
    if (current === undefined || at < 0) return
    for (const face of current.faces) {
      const square = face.squares[at]
      if (at === 0) face.crops = new Uint8Array(current.window.pictures * CROP ** 2)
      if (square !== undefined) cutOut({ ...size, pixels }, square, face.crops, at * CROP ** 2)
    }
    if (at + 1 < current.window.pictures) return
    waiting.shift()
    found.push(...(await scoreWindow(work, current, once)))
    reportProgress(work, current.window)
  }
  const path = context.input('source')
  // One picture more, so that rounding leaves none out.
  const length = (windows.at(-1)?.end ?? start) - start + 1 / RATE
  const args = framesArguments({ ...params, ...size, path, start, length, rate: RATE, grey: true })
  await runFfmpeg(context, args, {
    stallSeconds: 300,
    onStdout: splitPictures(size.width * size.height, take),
  })
  return found
}

function openWindow(window: Window, range: FaceBoxes, size: PieceWork['size']): OpenWindow {
  const faces = window.tracks.map(({ id, boxes }) => ({
    id,
    squares: squaresOf(boxes, window.start, window.pictures, size),
    crops: new Uint8Array(0),
  }))
  return { window, first: Math.round((window.start - range.start) * RATE), faces }
}

/** Passes on what the model was asked for; an answer of an interrupted attempt is not asked for again. */
type Once = (ask: () => Promise<Float32Array>) => Promise<Float32Array>

async function scoreWindow(
  work: Work,
  { window, first, faces }: OpenWindow,
  once: Once,
): Promise<FaceScores[]> {
  const { context, model } = work
  const rows = await readRows(work.wav, window, window.pictures, 'still')
  // Only differences between faces tell: one that is alone is compared with nothing.
  const others = faces.length > 1 ? await otherSounds(work, window, rows) : []
  const found: FaceScores[] = []
  for (const { id, crops } of faces) {
    throwIfCancelled(context.signal)
    const raw = await once(() => model.score(crops, rows))
    const adjusted = raw.slice()
    const isStill = Math.max(...raw) < STILL
    for (const other of isStill ? [] : others) {
      throwIfCancelled(context.signal)
      const scores = await once(() => model.score(crops, other))
      for (let at = 0; at < adjusted.length; at += 1)
        adjusted[at] = (adjusted[at] ?? 0) - (scores[at] ?? 0) / others.length
    }
    found.push({ id, scores: { first, raw, adjusted: isStill ? adjusted.fill(0) : adjusted } })
  }
  return found
}

/** Sounds that do not fit these pictures: other stretches of the source, and the own sound at another time. */
async function otherSounds(work: Work, window: Window, rows: Float32Array): Promise<Float32Array[]> {
  const { windows, turns, wav } = work
  const sounds: Float32Array[] = []
  for (const place of chooseOthers(windows, turns, windows.indexOf(window), MOST_OTHERS)) {
    const other = windows[place]
    if (other !== undefined) sounds.push(await readRows(wav, other, window.pictures, 'again'))
  }
  return [...sounds, ...ROTATIONS.map((pictures) => rotated(rows, pictures))]
}

async function readRows(
  wav: WavFile,
  { start, end }: Window,
  pictures: number,
  atEnd: 'again' | 'still',
): Promise<Float32Array> {
  return fitRows(computeMfcc(await wav.read(start, end + OVERHANG)), pictures, atEnd)
}
