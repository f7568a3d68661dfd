/** Computes the waveform of the whole source for the timeline from the speech WAV, as a stream. */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SPEECH_RATE } from '../../media/arguments/audio.ts'
import type { StageHandler } from '../context.ts'
import { readResult } from '../read-results.ts'

/** The audio stage writes a plain header of this size. */
const WAV_HEADER_BYTES = 44
const CHUNK_BYTES = 512 * 1024

export const runPeaks: StageHandler<'peaks'> = async (context, params) => {
  const made = await readResult(context, 'audio')
  const wav = join(context.input('audio'), made.speechFile)
  const { size } = await stat(wav)
  await using source = await open(wav, 'r')
  await using file = await open(join(context.folder, 'peaks.dat'), 'w')
  let peak = NO_PEAK
  let length = 0
  // One buffer for everything: a new one per chunk would leave hours of sound to the garbage collector.
  const samples = new Int16Array(CHUNK_BYTES / 2)
  const bytes = new Uint8Array(samples.buffer)
  const write = async (pairs: Int8Array): Promise<void> => {
    const bytes = new Uint8Array(pairs.buffer, pairs.byteOffset, pairs.byteLength)
    await file.write(bytes, 0, bytes.length, DAT_HEADER_BYTES + length * 2)
    length += pairs.length / 2
  }
  let held = 0
  for (let at = WAV_HEADER_BYTES; at < size;) {
    context.signal.throwIfAborted()
    const { bytesRead } = await source.read(bytes, held, bytes.length - held, at)
    if (bytesRead === 0) break
    at += bytesRead
    const available = held + bytesRead
    const taken = takeSamples(peak, samples.subarray(0, available >> 1), params.samplesPerPeak)
    peak = taken.open
    await write(taken.pairs)
    held = available & 1
    if (held === 1) bytes[0] = bytes[available - 1] ?? 0
    context.progress(Math.min(1, at / size))
  }
  await write(lastPair(peak))
  await file.write(datHeader(SPEECH_RATE, params.samplesPerPeak, length), 0, DAT_HEADER_BYTES, 0)
  return { file: 'peaks.dat', length }
}

export const DAT_HEADER_BYTES = 24

/** The 24-byte header. `length`: number of minimum and maximum pairs. */
export function datHeader(sampleRate: number, samplesPerPeak: number, length: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(DAT_HEADER_BYTES))
  const eightBit = 1
  const fields = [2, eightBit, sampleRate, samplesPerPeak, length, 1]
  fields.forEach((value, index) => view.setInt32(index * 4, value, true))
  return new Uint8Array(view.buffer)
}

/** A peak that continues in the next chunk. */
export interface OpenPeak {
  readonly low: number
  readonly high: number
  readonly count: number
}

export const NO_PEAK: OpenPeak = { low: 32_767, high: -32_768, count: 0 }

/** Consumes samples; returns the finished pairs (low and high as signed bytes) and the unfinished peak. */
export function takeSamples(open: OpenPeak, samples: Int16Array, samplesPerPeak: number) {
  const pairs = new Int8Array(2 * Math.floor((open.count + samples.length) / samplesPerPeak))
  let { low, high, count } = open
  let at = 0
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] ?? 0
    if (sample < low) low = sample
    if (sample > high) high = sample
    if (++count < samplesPerPeak) continue
    pairs[at++] = toByte(low)
    pairs[at++] = toByte(high)
    low = NO_PEAK.low
    high = NO_PEAK.high
    count = NO_PEAK.count
  }
  return { pairs, open: { low, high, count } }
}

/** The last, shorter peak; empty when there are no samples left. */
export function lastPair(open: OpenPeak): Int8Array {
  return open.count === 0 ? new Int8Array(0) : Int8Array.of(toByte(open.low), toByte(open.high))
}

/** Rounds towards zero, so that silence is drawn as nothing. */
function toByte(sample: number): number {
  return Math.trunc(sample / 256)
}
