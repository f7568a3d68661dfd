/** Writes a WAV file of 16-bit mono PCM as samples arrive; the sizes in the header are written at the end. */
import { open, type FileHandle } from 'node:fs/promises'

export interface WavWriter {
  readonly write: (samples: Uint8Array) => Promise<void>
  /** Writes the sizes and closes the file without syncing. Resolves to the number of samples. */
  readonly finish: () => Promise<number>
  /** Closes an unfinished file after a failure. */
  readonly close: () => Promise<void>
}

const HEADER_BYTES = 44

/** Creates `path`. Disk errors (ENOSPC) are thrown unchanged. */
export async function createWav(path: string, sampleRate: number): Promise<WavWriter> {
  const file: FileHandle = await open(path, 'w')
  let dataBytes = 0
  let position = HEADER_BYTES
  await file.write(wavHeader(sampleRate, 0), 0, HEADER_BYTES, 0)
  return {
    write: async (samples) => {
      let done = 0
      while (done < samples.length) {
        const { bytesWritten } = await file.write(samples, done, samples.length - done, position)
        done += bytesWritten
        position += bytesWritten
      }
      dataBytes += samples.length
    },
    finish: async () => {
      await file.write(wavHeader(sampleRate, dataBytes), 0, HEADER_BYTES, 0)
      await file.close()
      return dataBytes / 2
    },
    close: () => file.close(),
  }
}

/** The 44 bytes before 16-bit mono samples. Sizes have 32 bits: above 37 hours they mean "everything that follows". */
export function wavHeader(sampleRate: number, dataBytes: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(Math.min(0xffff_ffff, dataBytes + 36), 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(sampleRate, 24)
  bytes.writeUInt32LE(sampleRate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(Math.min(0xffff_ffff, dataBytes), 40)
  return bytes
}
