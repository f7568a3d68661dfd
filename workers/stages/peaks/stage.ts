/** Computes the waveform of the whole source for the timeline from the speech WAV, as a stream. */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SPEECH_RATE } from '../../media/arguments/audio.ts'
import { toDiskFull } from '../../media/disk.ts'
import type { StageHandler } from '../context.ts'
import type { OutputOf } from '../declare.ts'
import type { audio } from '../audio/declaration.ts'
import { DAT_HEADER_BYTES, datHeader, lastPair, NO_PEAK, takeSamples } from './pure/peaks.ts'

/** The audio stage writes a plain header of this size. */
const WAV_HEADER_BYTES = 44
const CHUNK_BYTES = 512 * 1024

export const runPeaks: StageHandler<'peaks'> = async (context, params) => {
  const made = (await context.inputResult('audio')) as OutputOf<typeof audio>
  const wav = join(context.input('audio'), made.speechFile)
  const { size } = await stat(wav)
  const source = await open(wav, 'r')
  const file = await open(join(context.folder, 'peaks.dat'), 'w')
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
  try {
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
  } catch (error) {
    throw toDiskFull(error)
  } finally {
    await source.close()
    await file.close()
  }
}
