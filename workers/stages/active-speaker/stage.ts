/** Decodes each range once, cuts out the faces where there is a voice, and compares their lips with that and other sounds. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { FaceBoxes } from '../../../server/contract/clip-measurements.ts'
import { loadActiveSpeaker, type ActiveSpeakerModel } from '../../inference/active-speaker.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import { findActiveSpeakerModel } from '../../inference/find-model.ts'
import { openWav, type WavFile } from '../../inference/wav-file.ts'
import { framesArguments } from '../../media/arguments/frames.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import { stageError, type StageContext, type StageHandler } from '../context.ts'
import { splitPictures } from '../faces/pure/face.ts'
import { readJson, readResult } from '../read-results.ts'
import { readStretches } from '../voice/read-stretches.ts'
import { CROP, cutOut, pictureSize, RATE, squaresOf, type Square } from './pure/crops.ts'
import { computeMfcc } from './pure/mfcc.ts'
import type { Piece, RangeScores } from './pure/evidence.ts'
import { findSpeakers } from './pure/who-speaks.ts'
import { chooseOthers, fitRows, planWindows, rotated, type Turn, type Window } from './pure/windows.ts'

const FILE = 'active-speaker.json'
/** Other stretches of the source that lips are compared with, and turns of the own sound, in pictures. */
const MOST_OTHERS = 2
const ROTATIONS = [-15, 15]
/** Scores below this are of lips that do not move, whatever the sound. */
const STILL = -1.5
/** Seconds of sound that the last row of a picture reaches beyond it. */
const OVERHANG = 0.02

type Context = StageContext<'source' | 'audio' | 'faces' | 'voice' | 'speakers'>
type Params = Parameters<StageHandler<'active-speaker'>>[1]

const Turns = Type.Array(Type.Object({ start: Type.Number(), end: Type.Number(), speaker: Type.Integer() }))

export const runActiveSpeaker: StageHandler<'active-speaker'> = async (context, params) => {
  const installed = await findActiveSpeakerModel(context.modelFolders)
  const ranges = await readBoxes(context)
  const voice = await readStretches(context)
  const turns = await readTurns(context)
  const sound = await readResult(context, 'audio')
  await using wav = await openWav(join(context.input('audio'), sound.speechFile))
  await using model = await loadActiveSpeaker(installed, context)
  const windows = ranges.flatMap((range) => planWindows(range, voice))
  const work = { context, params, wav, model, windows, turns, done: 0 }
  const scores: RangeScores[] = []
  for (const range of ranges) scores.push(await scoreRange(work, range))
  const speakers = findSpeakers(scores, voice, turns)
  await writeFile(join(context.folder, FILE), JSON.stringify(speakers))
  const faceSeconds = windows.reduce(
    (sum, { pictures, tracks }) => sum + (tracks.length * pictures) / RATE,
    0,
  )
  return { file: FILE, faceSeconds, model: installed.name, provider: model.provider }
}

/** The boxes of all ranges. Results of older versions have none. */
async function readBoxes(context: Context): Promise<FaceBoxes[]> {
  const { boxesFile } = await readResult(context, 'faces')
  if (boxesFile === undefined)
    throw stageError('STAGE_FAILED', 'The faces are a result of an older version. Run the workflow again.')
  return JSON.parse(await readFile(join(context.input('faces'), boxesFile), 'utf8')) as FaceBoxes[]
}

async function readTurns(context: Context): Promise<Turn[]> {
  if (!context.hasInput('speakers')) return []
  const { turnsFile } = await readResult(context, 'speakers')
  return readJson(join(context.input('speakers'), turnsFile), Turns, 'The turns of the speakers')
}

interface Work {
  readonly context: Context
  readonly params: Params
  readonly wav: WavFile
  readonly model: ActiveSpeakerModel
  /** Of all ranges. */
  readonly windows: readonly Window[]
  readonly turns: readonly Turn[]
  /** Windows that are finished. */
  done: number
}

/** A window whose pictures are being collected. */
interface OpenWindow {
  readonly window: Window
  /** The first of its pictures, counted from the start of the range. */
  readonly first: number
  readonly faces: { readonly id: number; readonly squares: Square[]; crops: Uint8Array }[]
}

async function scoreRange(work: Work, range: FaceBoxes): Promise<RangeScores> {
  const { context, params, windows } = work
  const own = windows.filter(({ start, end }) => start >= range.start - 1e-6 && end <= range.end + 1 / RATE)
  const pieces = new Map<number, Piece[]>(range.tracks.map(({ id }) => [id, []]))
  const last = own.at(-1)
  if (last !== undefined) {
    const size = pictureSize(
      own.flatMap(({ tracks }) => tracks),
      params,
    )
    const waiting = own.map((window) => openWindow(window, range, size))
    let picture = Math.round(((own[0]?.start ?? 0) - range.start) * RATE)
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
      await scoreWindow(work, current, pieces)
    }
    const path = context.input('source')
    // One picture more, so that rounding leaves none out.
    const length = last.end - start + 1 / RATE
    const args = framesArguments({ ...params, ...size, path, start, length, rate: RATE, grey: true })
    await runFfmpeg(context, args, {
      stallSeconds: 300,
      onStdout: splitPictures(size.width * size.height, take),
    })
  }
  return {
    start: range.start,
    end: range.end,
    tracks: range.tracks.map(({ id }) => ({ id, pieces: pieces.get(id) ?? [] })),
  }
}

function openWindow(window: Window, range: FaceBoxes, size: Parameters<typeof squaresOf>[3]): OpenWindow {
  const faces = window.tracks.map(({ id, boxes }) => ({
    id,
    squares: squaresOf(boxes, window.start, window.pictures, size),
    crops: new Uint8Array(0),
  }))
  return { window, first: Math.round((window.start - range.start) * RATE), faces }
}

async function scoreWindow(
  work: Work,
  open: OpenWindow,
  pieces: ReadonlyMap<number, Piece[]>,
): Promise<void> {
  const { context, model, windows } = work
  const { window, first, faces } = open
  const rows = await readRows(work.wav, window, window.pictures, 'still')
  // Only differences between faces tell: one that is alone is compared with nothing.
  const others = faces.length > 1 ? await otherSounds(work, window, rows) : []
  for (const { id, crops } of faces) {
    throwIfCancelled(context.signal)
    const raw = await model.score(crops, rows)
    const adjusted = raw.slice()
    const isStill = Math.max(...raw) < STILL
    for (const other of isStill ? [] : others) {
      throwIfCancelled(context.signal)
      const scores = await model.score(crops, other)
      for (let at = 0; at < adjusted.length; at += 1)
        adjusted[at] = (adjusted[at] ?? 0) - (scores[at] ?? 0) / others.length
    }
    pieces.get(id)?.push({ first, raw, adjusted: isStill ? adjusted.fill(0) : adjusted })
  }
  work.done += 1
  context.progress(work.done / windows.length)
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
