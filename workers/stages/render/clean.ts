/** Cleans the clip's own sound (pure/clean) into a file that loudness, render and stems read instead of the source's sound. */
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Composition, SoundCleaning } from '../../../server/contract/composition.ts'
import type { Dialect } from '../../media/arguments/dialect.ts'
import { cutSoundArguments } from '../../media/arguments/render.ts'
import { planTime } from '../../media/arguments/render-time.ts'
import { withGraphFile } from '../../media/long-graph.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import type { StageContext } from '../context.ts'
import { patienceSeconds } from './encode.ts'
import {
  createCleaner,
  createListener,
  createVoiceGains,
  createVoiceMeter,
  spokenTurns,
} from './pure/clean/clean-sound.ts'
import type { Stereo } from './pure/mix/stereo.ts'

/** Of two channels, 32 bit each. */
const BYTES_PER_SAMPLE = 8
/** Samples that are held at once. */
const PIECE = 1 << 16

/** The share of its stage's progress that the cleaning of the sound has, where there is any. */
const CLEANED = 0.2
/** Shares of the cleaning itself: cutting, and then cleaning; the rest is the levelling of voices. */
const CUT = 0.3
const WITHOUT_VOICES = 0.95

type Work = Pick<StageContext<'source'>, 'input' | 'signal' | 'temporary' | 'tools' | 'progress'>

/** What is to be done to the composition's own sound; null: nothing. */
export const wantedCleaning = ({ source, audio }: Composition): SoundCleaning | null =>
  source.hasAudio ? (audio.cleaning ?? null) : null

/** The context for what follows the cleaning: its progress goes on where that of the cleaning ends. */
export function afterCleaning<Context extends Pick<StageContext, 'progress'>>(
  context: Context,
  composition: Composition,
): Context {
  if (wantedCleaning(composition) === null) return context
  return {
    ...context,
    progress: (fraction: number, note?: string) => context.progress(CLEANED + (1 - CLEANED) * fraction, note),
  }
}

/**
 * The file with the cleaned sound in the stage's scratch folder; null where nothing is to be done. Throws CANCELLED, DISK_FULL, and what
 * ffmpeg throws.
 */
export async function makeCleanSound(
  context: Work,
  composition: Composition,
  dialect: Dialect,
): Promise<string | null> {
  if (wantedCleaning(composition) === null) return null
  const file = join(context.temporary, 'clean.f32')
  await writeCleanSound(context, composition, { dialect, file })
  return file
}

/** Writes the cleaned sound as raw samples: 48 kHz, two channels, 32-bit floating point. Memory does not grow with its length. */
export async function writeCleanSound(
  context: Work,
  composition: Composition,
  { dialect, file }: { readonly dialect: Dialect; readonly file: string },
): Promise<void> {
  const cleaning = wantedCleaning(composition)
  if (cleaning === null) return
  const samples = playedSamples(composition)
  /** From one share to another of the cleaning, by how many samples are done. */
  const moveBetween = (from: number, to: number) => (done: number) =>
    context.progress(CLEANED * (from + (to - from) * Math.min(1, done / samples)), 'Cleaning the sound')
  moveBetween(0, 1)(0)
  const cutFile = join(context.temporary, 'cut.f32')
  try {
    const heard = await cutSound(context, composition, {
      cleaning,
      dialect,
      file: cutFile,
      onMove: moveBetween(0, CUT),
    })
    const cleaner = createCleaner(cleaning, heard)
    const turns = spokenTurns(cleaning)
    const meter = turns.length === 0 ? null : createVoiceMeter(turns)
    await using clean = await open(file, 'w+')
    const keep = async (sound: Stereo): Promise<void> => {
      meter?.push(sound)
      await clean.appendFile(bytesOf(sound))
    }
    await using cut = await open(cutFile, 'r')
    const onCleaned = moveBetween(CUT, WITHOUT_VOICES)
    await readPieces(cut, context.signal, async (sound, start) => {
      await keep(cleaner.push(sound))
      onCleaned(start + sound.left.length)
    })
    await keep(cleaner.flush())
    if (meter === null) return
    const raise = createVoiceGains(meter.finish())
    const onLevelled = moveBetween(WITHOUT_VOICES, 1)
    await readPieces(clean, context.signal, async (sound, start) => {
      onLevelled(start)
      raise(sound, start)
      const bytes = bytesOf(sound)
      await clean.write(bytes, 0, bytes.length, start * BYTES_PER_SAMPLE)
    })
  } finally {
    await rm(cutFile, { force: true })
  }
}

interface Cutting {
  readonly cleaning: SoundCleaning
  readonly dialect: Dialect
  readonly file: string
  /** Told how many samples are cut. */
  readonly onMove: (samples: number) => void
}

/** Cuts the sound into a file and listens to it. Of exactly the length that is played. */
async function cutSound(
  context: Work,
  composition: Composition,
  { cleaning, dialect, file, onMove }: Cutting,
) {
  const listener = createListener(cleaning)
  await using written = await open(file, 'w')
  let samples = 0
  let rest: Buffer = Buffer.alloc(0)
  const take = async (chunk: Buffer): Promise<void> => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % BYTES_PER_SAMPLE)
    rest = Buffer.from(bytes.subarray(whole))
    listener.push(soundOf(bytes.subarray(0, whole)))
    await written.appendFile(bytes.subarray(0, whole))
    samples += whole / BYTES_PER_SAMPLE
    onMove(samples)
  }
  const args = cutSoundArguments(composition, context.input('source'))
  const stallSeconds = patienceSeconds(composition, 120)
  await withGraphFile(args, { dialect, folder: context.temporary }, (given) =>
    runFfmpeg(context, given, { stallSeconds, onStdout: take }),
  )
  await written.truncate(playedSamples(composition) * BYTES_PER_SAMPLE)
  return listener.finish()
}

/** How long the source is played. */
function playedSamples(composition: Composition): number {
  const plan = planTime(composition)
  return plan.playedSamples - plan.headSamples
}

async function readPieces(
  file: FileHandle,
  signal: AbortSignal,
  take: (sound: Stereo, start: number) => Promise<void>,
): Promise<void> {
  const buffer = Buffer.alloc(PIECE * BYTES_PER_SAMPLE)
  for (let at = 0; ;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    await take(soundOf(buffer.subarray(0, bytesRead)), at / BYTES_PER_SAMPLE)
    at += bytesRead
  }
}

function soundOf(bytes: Buffer): Stereo {
  const samples = Math.floor(bytes.length / BYTES_PER_SAMPLE)
  const left = new Float32Array(samples)
  const right = new Float32Array(samples)
  for (let at = 0; at < samples; at++) {
    left[at] = bytes.readFloatLE(at * BYTES_PER_SAMPLE)
    right[at] = bytes.readFloatLE(at * BYTES_PER_SAMPLE + 4)
  }
  return { left, right }
}

function bytesOf({ left, right }: Stereo): Buffer {
  const bytes = Buffer.alloc(left.length * BYTES_PER_SAMPLE)
  for (let at = 0; at < left.length; at++) {
    bytes.writeFloatLE(left[at] ?? 0, at * BYTES_PER_SAMPLE)
    bytes.writeFloatLE(right[at] ?? 0, at * BYTES_PER_SAMPLE + 4)
  }
  return bytes
}
