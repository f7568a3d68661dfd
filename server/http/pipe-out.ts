/** Streams a response body to the client, whole or a range of it. */
import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RangeDecision } from './range.ts'

const CHUNK = 256 * 1024

/** Node's error codes for a client that disconnected before, during or after a response. */
const GONE = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
])

/** Whether a rejection of `pipeOut` means that the client disconnected. */
export const isClientGone = (error: unknown): boolean => GONE.has((error as NodeJS.ErrnoException).code ?? '')

/** Pipes and always closes `from`, which `pipeline` leaves open when the client was gone before. */
export async function pipeOut(from: Readable, to: Writable): Promise<void> {
  try {
    await pipeline(from, to)
  } finally {
    from.destroy()
  }
}

export interface SentFile {
  readonly path: string
  readonly bytes: number
  /** Reads it from elsewhere than the disk; null: it is gone. */
  readonly open?: (range: { readonly start: number; readonly end: number }) => Promise<Readable | null>
}

/** Answers with a file or a range of it. Rejects as `pipeOut` does, with the connection closed. */
export async function sendRange(
  response: ServerResponse,
  { path, bytes, open }: SentFile,
  range: RangeDecision,
  headOnly = false,
): Promise<void> {
  if (range.kind === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${bytes}`, 'Content-Length': 0 }).end()
    return
  }
  const isPart = range.kind === 'part'
  const { start, end } = isPart ? range : { start: 0, end: bytes - 1 }
  response.writeHead(isPart ? 206 : 200, {
    'Content-Length': end - start + 1,
    ...(isPart ? { 'Content-Range': `bytes ${start}-${end}/${bytes}` } : {}),
  })
  if (headOnly || bytes === 0) {
    response.end()
    return
  }
  try {
    const stream =
      open === undefined
        ? createReadStream(path, { start, end, highWaterMark: CHUNK })
        : await open({ start, end })
    if (stream === null) throw new Error('the file is gone')
    await pipeOut(stream, response)
  } catch (error) {
    response.destroy()
    throw error
  }
}
