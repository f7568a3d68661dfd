/** Parts of a file, read one at a time: a video is never in memory as a whole. */
import { open } from 'node:fs/promises'

/** Bytes of a file from `start`, `length` of them, or fewer at its end. */
export async function filePart(file: string, start: number, length: number): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const buffer = Buffer.alloc(length)
    let read = 0
    while (read < length) {
      const { bytesRead } = await handle.read(buffer, read, length - read, start + read)
      if (bytesRead === 0) break
      read += bytesRead
    }
    return buffer.subarray(0, read)
  } finally {
    await handle.close()
  }
}

/** The file from `start` on as a stream of its bytes. */
export async function* fileFrom(file: string, start = 0, step = 1024 * 1024): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r')
  try {
    for (let at = start; ;) {
      const buffer = Buffer.alloc(step)
      const { bytesRead } = await handle.read(buffer, 0, step, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/** A body of multipart/form-data with one file, for platforms that take uploads in no other way. */
export function multipart(
  fields: Readonly<Record<string, string>>,
  file: { readonly name: string; readonly bytes: Uint8Array } | null,
): { readonly body: Uint8Array; readonly type: string } {
  const boundary = `cutroom${'-'.repeat(8)}7d4a1c90e2b8`
  const parts: Buffer[] = []
  for (const [name, value] of Object.entries(fields))
    parts.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    )
  if (file !== null) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${file.name}"; filename="${file.name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
    parts.push(Buffer.from(head), Buffer.from(file.bytes), Buffer.from('\r\n'))
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return { body: Buffer.concat(parts), type: `multipart/form-data; boundary=${boundary}` }
}
