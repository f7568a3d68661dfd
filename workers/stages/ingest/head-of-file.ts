/** Reads the first bytes of a file, by which its type is recognised, never by its name. */
import { open } from 'node:fs/promises'
import { SNIFF_BYTES } from './pure/media-type.ts'

/** As many bytes as `sniff` needs, or all of a shorter file. */
export async function readFileHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
