/** From where an answer is read to who asked for it. */
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Codes by which Node says that whoever asked has gone: before an answer, in the middle of it, or with what was under way. */
const GONE = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
])

/** Whether what `pipeOut` rejected with says so. */
export function isClientGone(error: unknown): boolean {
  return GONE.has((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * Ends, and closes `from`, however it goes: `pipeline` does so for who goes away in the middle, but pipes nothing to who
 * was gone before it began, and what was opened for them would stay open. Rejects with what `pipeline` says.
 */
export async function pipeOut(from: Readable, to: Writable): Promise<void> {
  try {
    await pipeline(from, to)
  } finally {
    from.destroy()
  }
}
