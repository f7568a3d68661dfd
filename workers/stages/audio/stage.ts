/** Decodes the sound once to 16 kHz mono for the speech models, and measures its loudness every 10 ms. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../server/contract/errors.ts'
import { SPEECH_RATE, speechAudioArguments } from '../../media/arguments/audio.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import { createWav } from '../../media/wav-writer.ts'
import type { StageContext, StageHandler } from '../context.ts'

const HOP_SECONDS = 0.01
const HOP_SAMPLES = SPEECH_RATE * HOP_SECONDS
const SPEECH_FILE = 'speech.wav'
const ENVELOPE_FILE = 'envelope.f32'

/** Fails with SOURCE_NOT_VIDEO when the stream gives no sample at all. */
export const runAudio: StageHandler<'audio'> = async (context, params) => {
  const wav = await createWav(join(context.folder, SPEECH_FILE), SPEECH_RATE)
  const envelope = await open(join(context.folder, ENVELOPE_FILE), 'w')
  const counts = newLevelCounts()
  const expected = Math.max(1, params.durationSeconds * SPEECH_RATE)
  let samples = 0
  let finished = false
  try {
    const hops = createLevelMeter((levels) => {
      for (const db of levels) countLevel(counts, db)
      return envelope.appendFile(new Uint8Array(levels.buffer, levels.byteOffset, levels.byteLength))
    })
    const batches = createByteBatcher(async (bytes) => {
      await wav.write(bytes)
      await hops.take(bytes)
      samples += bytes.length / 2
      context.progress(Math.min(1, samples / expected), 'Listening to the sound')
    })
    const args = speechAudioArguments(context.input('source'), params)
    await runFfmpeg(context, args, { stallSeconds: 120, onStdout: batches.add })
    await batches.flush()
    await hops.finish()
    const written = await wav.finish()
    finished = true
    if (written === 0)
      throw new AppError('SOURCE_NOT_VIDEO', { message: 'The sound of the file cannot be decoded.' })
    warnClockReset(context, written / SPEECH_RATE, params.durationSeconds)
    return {
      speechFile: SPEECH_FILE,
      envelopeFile: ENVELOPE_FILE,
      envelopeHopSeconds: HOP_SECONDS,
      durationSeconds: written / SPEECH_RATE,
      ...levelsOf(counts),
    }
  } finally {
    if (!finished) await wav.close()
    await envelope.close()
  }
}

/** If the clock of a file starts again, the file has more than its times can address. */
function warnClockReset({ warn }: Pick<StageContext, 'warn'>, decoded: number, declared: number): void {
  if (decoded - declared <= Math.max(2, declared * 0.02)) return
  warn(
    `The clock of the file steps back: it has ${decoded.toFixed(0)} seconds of sound, but its times end at ${declared.toFixed(0)}. What comes after the step is not used. To use all of it, rewrite the file first (ffmpeg -i FILE -c copy NEW.mp4).`,
  )
}

/** Pipes deliver small pieces, and each write goes through another thread, so half a megabyte is collected first. */
function createByteBatcher(handle: (bytes: Buffer) => Promise<void>) {
  let pending: Buffer[] = []
  let size = 0
  const flush = (): Promise<void> => {
    const bytes = Buffer.concat(pending)
    pending = []
    size = 0
    return handle(bytes)
  }
  return {
    add: (chunk: Buffer): Promise<void> | undefined => {
      pending.push(chunk)
      size += chunk.length
      return size < 512 * 1024 ? undefined : flush()
    },
    flush,
  }
}

/** Cuts a stream of PCM bytes of any chunk size into hops, and passes their levels on. */
function createLevelMeter(give: (levels: Float32Array) => Promise<void>) {
  let rest = new Uint8Array(0)
  const levelsIn = (samples: Int16Array, whole: number): Float32Array =>
    Float32Array.from({ length: whole }, (_, hop) =>
      rmsDb(samples, hop * HOP_SAMPLES, (hop + 1) * HOP_SAMPLES),
    )
  return {
    take: async (chunk: Uint8Array): Promise<void> => {
      // Copied, because samples must start at an even address.
      const bytes = new Uint8Array(rest.length + chunk.length)
      bytes.set(rest)
      bytes.set(chunk, rest.length)
      const samples = new Int16Array(bytes.buffer, 0, bytes.length >> 1)
      const whole = Math.floor(samples.length / HOP_SAMPLES)
      rest = bytes.slice(whole * HOP_SAMPLES * 2)
      if (whole > 0) await give(levelsIn(samples, whole))
    },
    finish: async (): Promise<void> => {
      const samples = new Int16Array(rest.slice(0, rest.length & ~1).buffer)
      if (samples.length > 0) await give(Float32Array.of(rmsDb(samples, 0, samples.length)))
    },
  }
}

const FLOOR_DB = -100
const BINS_PER_DB = 2
const BINS = -FLOOR_DB * BINS_PER_DB + 1

/** RMS of samples `from` to `to` in dBFS (a full-scale square wave is 0), never below the floor. */
export function rmsDb(samples: Int16Array, from: number, to: number): number {
  let sum = 0
  for (let index = from; index < to; index++) {
    const sample = samples[index] ?? 0
    sum += sample * sample
  }
  if (sum === 0 || to <= from) return FLOOR_DB
  return Math.max(FLOOR_DB, 10 * Math.log10(sum / (to - from) / (32_768 * 32_768)))
}

/** Counts of frames by level, half a decibel a bin: percentiles of any length in constant memory. */
export const newLevelCounts = (): Uint32Array => new Uint32Array(BINS)

export function countLevel(counts: Uint32Array, db: number): void {
  const bin = Math.min(BINS - 1, Math.max(0, Math.round((db - FLOOR_DB) * BINS_PER_DB)))
  counts[bin] = (counts[bin] ?? 0) + 1
}

/** Background: the tenth percentile without digital silence. Speech: the median of what is closer to the loud parts. */
export function levelsOf(counts: Uint32Array) {
  const loudest = percentile(counts, 1, FLOOR_DB)
  const noiseLevelDb = percentile(counts, 0.1, FLOOR_DB + 1)
  const loud = percentile(counts, 0.95, FLOOR_DB + 1)
  const speechLevelDb = percentile(counts, 0.5, (noiseLevelDb + loud) / 2)
  // Nothing above -60 dBFS anywhere is silence.
  return { silent: loudest <= -60, speechLevelDb, noiseLevelDb }
}

/** The level that this share of the frames at or above `fromDb` do not exceed; the floor if there are none. */
function percentile(counts: Uint32Array, share: number, fromDb: number): number {
  const first = Math.max(0, Math.ceil((fromDb - FLOOR_DB) * BINS_PER_DB))
  let total = 0
  for (let bin = first; bin < BINS; bin++) total += counts[bin] ?? 0
  if (total === 0) return FLOOR_DB
  let seen = 0
  for (let bin = first; bin < BINS; bin++) {
    seen += counts[bin] ?? 0
    if (seen >= total * share) return FLOOR_DB + bin / BINS_PER_DB
  }
  return 0
}
