/** A WAV file of 16-bit mono PCM, written as it comes; the sizes are put in at the end. */
import { open, type FileHandle } from 'node:fs/promises'

export interface WavWriter {
  readonly write: (samples: Uint8Array) => Promise<void>
  /** Writes the sizes, syncs nothing, closes. Answers the number of samples. */
  readonly finish: () => Promise<number>
  /** Closes without finishing; for failures. */
  readonly close: () => Promise<void>
}

const HEADER_BYTES = 44

/** Creates `path`. Errors of the disk come as they are (ENOSPC). */
export async function createWav(path: string, sampleRate: number): Promise<WavWriter> {
  const file: FileHandle = await open(path, 'w')
  let dataBytes = 0
  let position = HEADER_BYTES
  await file.write(header(sampleRate, 0), 0, HEADER_BYTES, 0)
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
      await file.write(header(sampleRate, dataBytes), 0, HEADER_BYTES, 0)
      await file.close()
      return dataBytes / 2
    },
    close: () => file.close(),
  }
}

/** Sizes are 32 bits: beyond 37 hours they say "all that follows". */
function header(sampleRate: number, dataBytes: number): Buffer {
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
