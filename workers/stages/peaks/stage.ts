/** Peaks: the waveform of the whole source for the timeline, from the speech WAV, in a stream. */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SPEECH_RATE } from '../../media/arguments/audio.ts'
import { orDiskFull } from '../../media/disk.ts'
import type { StageHandler } from '../context.ts'
import type { OutputOf } from '../declare.ts'
import type { audio } from '../audio/declaration.ts'
import { DAT_HEADER_BYTES, datHeader, lastPair, NO_PEAK, takeSamples } from './pure/peaks.ts'

/** The audio stage writes a plain header of this size. */
const WAV_HEADER_BYTES = 44
const CHUNK_BYTES = 1024 * 1024

export const runPeaks: StageHandler<'peaks'> = async (context, params) => {
  const made = (await context.inputResult('audio')) as OutputOf<typeof audio>
  const wav = join(context.input('audio'), made.speechFile)
  const { size } = await stat(wav)
  const file = await open(join(context.folder, 'peaks.dat'), 'w')
  let [peak, length, done] = [NO_PEAK, 0, 0]
  let odd = new Uint8Array(0)
  const write = async (pairs: Int8Array): Promise<void> => {
    const bytes = new Uint8Array(pairs.buffer, pairs.byteOffset, pairs.byteLength)
    await file.write(bytes, 0, bytes.length, DAT_HEADER_BYTES + length * 2)
    length += pairs.length / 2
  }
  try {
    const options = { start: WAV_HEADER_BYTES, highWaterMark: CHUNK_BYTES, signal: context.signal }
    for await (const chunk of createReadStream(wav, options)) {
      const bytes = Uint8Array.from(
        odd.length === 0 ? (chunk as Buffer) : Buffer.concat([odd, chunk as Buffer]),
      )
      odd = bytes.slice(bytes.length & ~1)
      const taken = takeSamples(
        peak,
        new Int16Array(bytes.buffer, 0, bytes.length >> 1),
        params.samplesPerPeak,
      )
      peak = taken.open
      await write(taken.pairs)
      done += (chunk as Buffer).length
      context.progress(Math.min(1, done / size))
    }
    await write(lastPair(peak))
    await file.write(datHeader(SPEECH_RATE, params.samplesPerPeak, length), 0, DAT_HEADER_BYTES, 0)
    return { file: 'peaks.dat', length }
  } catch (error) {
    throw orDiskFull(error)
  } finally {
    await file.close()
  }
}
