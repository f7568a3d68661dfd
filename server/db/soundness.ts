/** Whether a database is damaged, by a look that takes milliseconds: for each start. The full check follows (full-check). */
import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { AppError } from '../contract/errors.ts'
import { damaged, openingFailure } from './client.ts'
import { findDamage, quoted, tablesOf } from './full-check/find-damage.ts'

/** Up to here every page is read at a start: some 20 milliseconds. */
const SMALL_BYTES = 16 * 1024 ** 2

/**
 * Throws INVALID_STATE with what to do where a database shows damage: by all its pages where it is small, else by its
 * header, its schema and the first pages of each table and index. A missing or empty file is none of its business.
 */
export function requireSoundDatabase(file: string): void {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (bytes === 0) return
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    sqlite.pragma('cell_size_check = ON')
    const found = bytes <= SMALL_BYTES ? findDamage(sqlite, { quick: true }) : null
    if (found !== null) throw damaged(file, new Error(found))
    if (bytes > SMALL_BYTES) readFirstPages(sqlite)
    requireMigrations(sqlite, file)
  } catch (error) {
    throw error instanceof AppError ? error : openingFailure(file, error)
  } finally {
    sqlite.close()
  }
}

function readFirstPages(sqlite: Database.Database): void {
  for (const name of tablesOf(sqlite)) sqlite.prepare(`select * from ${quoted(name)} limit 1`).get()
}

/** Tables without a note of the migrations that made them: the note was lost, and they would be made a second time. */
function requireMigrations(sqlite: Database.Database, file: string): void {
  const names = tablesOf(sqlite)
  if (!names.includes('companies')) return
  const noted =
    names.includes('__drizzle_migrations') &&
    sqlite.prepare('select 1 from __drizzle_migrations limit 1').get() !== undefined
  if (!noted) throw damaged(file, new Error('the migrations of its tables are not noted'))
}
