/** The full check of a database in a thread: it reads all of it, which takes seconds to minutes. Once per connection. */
import type { Db } from '../client.ts'
import { oncePerConnection } from '../prepared.ts'
import { createReadingThread, threadProgram } from '../reading-thread.ts'
import { partsOf, type Part } from './find-damage.ts'

const checkOf = oncePerConnection((db: Db) => {
  const program = threadProgram(import.meta.url, 'full-check')
  const thread = createReadingThread<Part, string | null>(program, db.sqlite.name)
  db.beforeClose(() => thread.close())
  let verdict: Promise<string | null> | null = null
  const look = async (signal: AbortSignal): Promise<string | null> => {
    for (const part of partsOf(db.sqlite)) {
      signal.throwIfAborted()
      const found = await thread.request(part)
      if (found !== null) return found
    }
    return null
  }
  return (signal: AbortSignal): Promise<string | null> => {
    verdict ??= look(signal).catch((error: unknown) => {
      verdict = null
      throw error
    })
    return verdict
  }
})

/** The first fault of the database as this process found it; null: it is sound. Throws the signal's reason. */
export const findDamageOnce = (db: Db, signal: AbortSignal): Promise<string | null> => checkOf(db)(signal)
