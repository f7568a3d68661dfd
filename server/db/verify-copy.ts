/** Whether the copy of a database is sound and complete. The copy becomes one file, without a log. */
import Database from 'better-sqlite3'
import { AppError } from '../contract/errors.ts'
import type { Db } from './client.ts'
import { checkFile } from './full-check/client.ts'
import { countRows, tablesOf } from './full-check/find-damage.ts'

export interface Verifying {
  /** Name of the file that the copy will be. */
  readonly file: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Throws INVALID_STATE where a copy is damaged, has rows that refer to none, or another number of rows than its source,
 * which must be the snapshot that was copied. The full check runs in a thread.
 */
export async function verifyCopy(
  source: Pick<Db, 'sqlite'>,
  copy: string,
  { file, signal }: Verifying,
): Promise<void> {
  const wrong = await findFault(source.sqlite, copy, signal)
  if (wrong === null) return
  throw new AppError('INVALID_STATE', {
    message: `${file} was not written, because the copy is not sound: ${wrong}. The database itself is damaged, or the disk of the copy; what was at ${file} before is as it was. \`cutroom doctor\` says more; an earlier backup is put back by: cutroom restore FILE.`,
  })
}

async function findFault(
  source: Database.Database,
  copy: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  try {
    const sqlite = new Database(copy, { fileMustExist: true })
    try {
      sqlite.pragma('journal_mode = DELETE')
      const missing = await compareRows(source, sqlite, signal)
      if (missing !== null) return missing
    } finally {
      sqlite.close()
    }
    return await checkFile(copy, signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code))
      return error.message
    throw error
  }
}

async function compareRows(
  source: Database.Database,
  copy: Database.Database,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  for (const table of tablesOf(source)) {
    signal?.throwIfAborted()
    await new Promise((resolve) => setImmediate(resolve))
    const expected = countRows(source, table)
    const found = countRows(copy, table)
    if (found !== expected) return `${table} has ${found} rows in place of ${expected}`
  }
  return null
}
