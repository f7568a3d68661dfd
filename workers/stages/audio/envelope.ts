/** Reads the loudness envelope of the audio stage: little-endian floats, one per hop. */
import { open } from 'node:fs/promises'

const BYTES = Float32Array.BYTES_PER_ELEMENT

/** Reads up to `count` values from index `first` on; fewer at the end of the file. Reads only that part of the file. */
export async function readEnvelope(path: string, first: number, count: number): Promise<Float32Array> {
  const file = await open(path, 'r')
  try {
    const bytes = new Uint8Array(Math.max(0, count) * BYTES)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, first * BYTES)
    return new Float32Array(bytes.buffer, 0, Math.floor(bytesRead / BYTES))
  } finally {
    await file.close()
  }
}
