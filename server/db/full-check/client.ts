/** The full check of a database in a thread: it reads all of it, which takes seconds to minutes. */
import Database from 'better-sqlite3'
import type { Db } from '../client.ts'
import { oncePerConnection } from '../prepared.ts'
import { createReadingThread, threadProgram, type ReadingThread } from '../reading-thread.ts'
import { partsOf, type Part } from './find-damage.ts'

type Checker = ReadingThread<Part, string | null>

const startChecker = (file: string): Checker =>
  createReadingThread(threadProgram(import.meta.url, 'full-check'), file)

/** Part by part, so that whoever stops need not wait for all of it. */
async function lookThrough(
  thread: Checker,
  parts: readonly Part[],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  for (const part of parts) {
    signal?.throwIfAborted()
    const found = await thread.request(part)
    if (found !== null) return found
  }
  return null
}

const checkOf = oncePerConnection((db: Db) => {
  const thread = startChecker(db.sqlite.name)
  db.beforeClose(() => thread.close())
  let verdict: Promise<string | null> | null = null
  return (signal: AbortSignal): Promise<string | null> => {
    verdict ??= lookThrough(thread, partsOf(db.sqlite), signal).catch((error: unknown) => {
      verdict = null
      throw error
    })
    return verdict
  }
})

/** The first fault of the database as this process found it; null: it is sound. Throws the signal's reason. */
export const findDamageOnce = (db: Db, signal: AbortSignal): Promise<string | null> => checkOf(db)(signal)

/** The first fault of a database that nobody else has open; null: it is sound. The file is closed again then. */
export async function checkFile(file: string, signal?: AbortSignal): Promise<string | null> {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  const parts = partsOf(sqlite)
  sqlite.close()
  const thread = startChecker(file)
  try {
    return await lookThrough(thread, parts, signal)
  } finally {
    thread.close()
    await thread.ended()
  }
}
