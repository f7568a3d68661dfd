/** From where an answer is read to who asked for it. */
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

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
