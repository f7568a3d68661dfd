/**
 * Reads ranges of the 16 kHz mono WAV that the audio stage writes, so that memory use does not depend on the length of the
 * source. Sound features are computed from such ranges on demand.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { AppError } from '../../server/contract/errors.ts'
import { featuresOf, type SoundFeatures } from '../stages/captions/pure/sound-features.ts'

export type WavFile = Awaited<ReturnType<typeof openWav>>

const HEADER_BYTES = 4096

/** Opens a mono 16-bit PCM WAV; anything else throws STAGE_FAILED. The caller closes it. */
export async function openWav(path: string) {
  const file = await open(path, 'r')
  const close = (): Promise<void> => file.close()
  const { dataStart, dataBytes, sampleRate } = await readHeader(file, path).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const total = Math.floor(dataBytes / 2)
  const read = async (from: number, to: number, into?: Int16Array): Promise<Int16Array> => {
    const first = Math.min(total, Math.max(0, Math.round(from * sampleRate)))
    const last = Math.min(total, Math.max(first, Math.round(to * sampleRate)))
    const length = last - first
    const samples =
      into !== undefined && into.length >= length ? into.subarray(0, length) : new Int16Array(length)
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
    let done = 0
    while (done < bytes.length) {
      const step = await file.read(bytes, done, bytes.length - done, dataStart + first * 2 + done)
      if (step.bytesRead === 0) break
      done += step.bytesRead
    }
    return samples
  }
  // Consecutive reads reuse one buffer; a read that starts while another one runs gets a buffer of its own.
  let spare: Int16Array | undefined
  return {
    sampleRate,
    durationSeconds: total / sampleRate,
    /** Mono samples from `from` to `to` seconds, clamped to the file. */
    read: (from: number, to: number) => read(from, to),
    /** Level and brightness from `from` to `to` seconds. */
    features: async (from: number, to: number): Promise<SoundFeatures> => {
      const start = Math.max(0, Math.floor(from * 100) / 100)
      const into = spare
      spare = undefined
      const samples = await read(start, to, into)
      const features = featuresOf(samples, sampleRate, start)
      spare = into !== undefined && into.length >= samples.length ? into : samples
      return features
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function readHeader(file: FileHandle, path: string) {
  const header = Buffer.alloc(HEADER_BYTES)
  const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
  const { size } = await file.stat()
  const bad = (why: string): AppError =>
    new AppError('STAGE_FAILED', {
      message: `The extracted sound is not readable (${why}).`,
      details: { path },
    })
  if (
    bytesRead < 44 ||
    header.toString('latin1', 0, 4) !== 'RIFF' ||
    header.toString('latin1', 8, 12) !== 'WAVE'
  )
    throw bad('not a WAV file')
  let sampleRate = 0
  for (let at = 12; at + 8 <= bytesRead;) {
    const name = header.toString('latin1', at, at + 4)
    const length = header.readUInt32LE(at + 4)
    if (name === 'fmt ') {
      if (header.readUInt16LE(at + 10) !== 1 || header.readUInt16LE(at + 22) !== 16)
        throw bad('not mono 16 bit')
      sampleRate = header.readUInt32LE(at + 12)
    }
    if (name === 'data') {
      if (sampleRate === 0) throw bad('no format before the data')
      // Programs that write to a pipe leave the length open, and above 4 GiB it overflows: use the size of the file instead.
      const rest = size - at - 8
      return {
        dataStart: at + 8,
        dataBytes: length === 0 || length >= 0xfffffff0 ? rest : Math.min(length, rest),
        sampleRate,
      }
    }
    at += 8 + length + (length % 2)
  }
  throw bad('no data')
}
