/** Streams a response body to the client. */
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Node's error codes for a client that disconnected before, during or after a response. */
const GONE = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
])

/** Whether a rejection of `pipeOut` means that the client disconnected. */
export function isClientGone(error: unknown): boolean {
  return GONE.has((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * Pipes and always closes `from`. `pipeline` alone would leave it open when the client was gone before the first byte.
 * Rejects as `pipeline` does.
 */
export async function pipeOut(from: Readable, to: Writable): Promise<void> {
  try {
    await pipeline(from, to)
  } finally {
    from.destroy()
  }
}
