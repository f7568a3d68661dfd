/** Reading the loudness envelope that the audio stage leaves: little-endian floats, one for each hop. */
import { open } from 'node:fs/promises'

const BYTES = Float32Array.BYTES_PER_ELEMENT

/** Up to `count` values of the file from the `first` one on; fewer where it ends. Reads only that part of it. */
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
