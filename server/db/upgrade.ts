/**
 * What stands between a database of another version and this program: a copy is kept before tables are changed, and what a
 * newer program has made is left alone, because nobody knows here what its tables mean.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../contract/errors.ts'

/** Copies of this many upgrades are kept; older ones go when a new one is made. */
const KEPT = 3
const ATTEMPTS = 5
const MARK = '.before-upgrade-'

/** Of a database, against the migrations of this program. */
export type Standing = 'empty' | 'older' | 'current' | 'newer'

/** Reads only. `migrations`: the folder that drizzle-kit writes. */
export function standingOf(sqlite: Database.Database, migrations: string): Standing {
  const table = "select count(*) from sqlite_master where name = '__drizzle_migrations'"
  if (sqlite.prepare<[], number>(table).pluck().get() === 0) return 'empty'
  const newest = 'select max(created_at) from __drizzle_migrations'
  const done = Number(sqlite.prepare<[], number | null>(newest).pluck().get() ?? 0)
  const journal = JSON.parse(readFileSync(join(migrations, 'meta', '_journal.json'), 'utf8')) as {
    entries: { when: number }[]
  }
  const known = Math.max(...journal.entries.map(({ when }) => when))
  if (done === 0) return 'empty'
  return done === known ? 'current' : done < known ? 'older' : 'newer'
}

/** The sentence for a database that is of a newer program. */
export const NEWER =
  'it was used by a newer version of Cutroom. Install that version again, or put back what its upgrade kept: cutroom restore FILE'

/** Whether its tables are to be changed. Throws INVALID_STATE for a database of a newer program. */
export function isOlder(sqlite: Database.Database, file: string, migrations: string): boolean {
  const standing = standingOf(sqlite, migrations)
  if (standing === 'newer')
    throw new AppError('INVALID_STATE', { message: `${file} is not opened: ${NEWER}.` })
  return standing === 'older'
}

/**
 * Keeps a copy beside a database whose tables are about to be changed: `FILE.before-upgrade-MOMENT`. This process must not
 * have it open: to close any handle of a file drops all locks of the process on it, those of SQLite as well
 * (https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_). Throws DISK_FULL
 * when the copy cannot be written; nothing has been changed then.
 */
export function keepCopy(file: string): void {
  const copy = `${file}${MARK}${new Date().toISOString().replace(/[:.]/g, '-')}`
  try {
    copyWhole(file, copy)
  } catch (cause) {
    for (const part of ['', '-wal', '-shm']) rmSync(`${copy}.part${part}`, { force: true })
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('DISK_FULL', {
      message: `The database is of an earlier version, and the copy that is kept before it is changed could not be written to ${copy}: ${why}. Make room for it, end what else writes to it, and start again; nothing was changed.`,
      cause,
    })
  }
  const folder = dirname(file)
  const copies = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}${MARK}`))
  for (const name of copies.sort().slice(0, -KEPT)) rmSync(join(folder, name), { force: true })
}

/** A file and its log as they were at one moment: of what others change meanwhile, a copy is made anew. */
function copyWhole(file: string, copy: string): void {
  const partial = `${copy}.part`
  for (let attempt = 1; ; attempt += 1) {
    const before = momentOf(file)
    copyFileSync(file, partial, constants.COPYFILE_FICLONE)
    rmSync(`${partial}-wal`, { force: true })
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${partial}-wal`)
    if (momentOf(file) === before) break
    if (attempt === ATTEMPTS) throw new Error('something else keeps writing to the database')
  }
  // Takes the log into the file: what is kept is one file.
  const whole = new Database(partial)
  try {
    whole.pragma('journal_mode = DELETE')
  } finally {
    whole.close()
  }
  chmodSync(partial, 0o600)
  const handle = openSync(partial, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(partial, copy)
}

/** Changes with each write to a database. */
const momentOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }))
    .map((facts) => `${facts?.size} ${facts?.mtimeNs}`)
    .join(' ')
