/** Upgrades of databases: a copy is stored before tables change; a database of a newer version is left alone. */
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
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../contract/errors.ts'
import { syncFolderNow } from '../../workers/sync-folder.ts'

/** Copies of this many upgrades are stored, one of each; a new one replaces the oldest. */
const KEPT = 3
const ATTEMPTS = 5
const MARK = '.before-upgrade-'

/** Of a database, against the migrations of this program. */
export type Standing = 'empty' | 'older' | 'current' | 'newer'

/** The moment of its newest migration; 0: it has none. */
function levelOf(sqlite: Database.Database): number {
  const table = "select count(*) from sqlite_master where name = '__drizzle_migrations'"
  if (sqlite.prepare<[], number>(table).pluck().get() === 0) return 0
  const newest = 'select max(created_at) from __drizzle_migrations'
  return Number(sqlite.prepare<[], number | null>(newest).pluck().get() ?? 0)
}

/** Reads only. `migrations`: the folder that drizzle-kit writes. */
export function standingOf(sqlite: Database.Database, migrations: string): Standing {
  const done = levelOf(sqlite)
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
  if (standing === 'newer') throw new AppError('INVALID_STATE', `${file} is not opened: ${NEWER}.`)
  return standing === 'older'
}

/**
 * Stores a copy beside a database before its tables change: `FILE.before-upgrade-MOMENT`, of unchanged tables once.
 * This process must not have the database open: closing any handle of a file drops SQLite's locks
 * (https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_). Throws DISK_FULL.
 */
export function copyBeforeUpgrade(file: string): void {
  const newest = copiesOf(file).at(-1)
  if (newest !== undefined && hasSameContent(file, newest)) return
  const copy = `${file}${MARK}${new Date().toISOString().replace(/[:.]/g, '-')}`
  try {
    copyCompletely(file, copy)
  } catch (cause) {
    for (const part of ['', '-wal', '-shm']) rmSync(`${copy}.part${part}`, { force: true })
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('DISK_FULL', {
      message: `The database is of an earlier version, and the copy that is kept before it is changed could not be written to ${copy}: ${why}. Make room for it, end what else writes to it, and start again; nothing was changed.`,
      cause,
    })
  }
  forgetOld(file)
}

/** Oldest first. */
function copiesOf(file: string): string[] {
  const folder = dirname(file)
  const begins = `${basename(file)}${MARK}`
  return readdirSync(folder)
    .filter((name) => name.startsWith(begins) && !/\.part(-wal|-shm)?$/.test(name))
    .sort()
    .map((name) => join(folder, name))
}

/** Leaves the newest copy of each of the last upgrades. */
function forgetOld(file: string): void {
  const levels = new Set<number | string>()
  for (const copy of copiesOf(file).reverse()) {
    const level = levelOfCopy(copy) ?? copy
    if (levels.has(level) || levels.size === KEPT) rmSync(copy, { force: true })
    else levels.add(level)
  }
}

/** Null: it cannot be read, or nothing is in it. */
function levelOfCopy(copy: string): number | null {
  let sqlite: Database.Database | null = null
  try {
    sqlite = new Database(copy, { readonly: true, fileMustExist: true })
    const level = levelOf(sqlite)
    return level === 0 ? null : level
  } catch {
    return null // damaged, or no database: one of its own kind, which goes when it is old
  } finally {
    sqlite?.close()
  }
}

/** Bytes of a header about log and last writer, [from, to): https://sqlite.org/fileformat2.html. */
const OF_THE_FILE = [
  [18, 20],
  [24, 28],
  [92, 100],
] as const
const AT_ONCE = 4 * 1024 * 1024

/** Whether a copy equals the database, which nobody has open; changes in a log are not compared. */
function hasSameContent(file: string, copy: string): boolean {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return false
  if (statSync(file).size !== statSync(copy).size) return false
  const handles = [openSync(file, 'r'), openSync(copy, 'r')] as const
  const ours = Buffer.alloc(AT_ONCE)
  const theirs = Buffer.alloc(AT_ONCE)
  try {
    for (let at = 0; ;) {
      const read = readSync(handles[0], ours, 0, AT_ONCE, at)
      if (read !== readSync(handles[1], theirs, 0, AT_ONCE, at)) return false
      if (read === 0) return true
      if (at === 0)
        for (const [from, to] of OF_THE_FILE) for (const one of [ours, theirs]) one.fill(0, from, to)
      if (ours.compare(theirs, 0, read, 0, read) !== 0) return false
      at += read
    }
  } finally {
    for (const handle of handles) closeSync(handle)
  }
}

/** A file and its log as they were at one moment; copied again if another process changed them meanwhile. */
function copyCompletely(file: string, copy: string): void {
  const partial = `${copy}.part`
  for (let attempt = 1; ; attempt += 1) {
    const before = momentOf(file)
    copyFileSync(file, partial, constants.COPYFILE_FICLONE)
    rmSync(`${partial}-wal`, { force: true })
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${partial}-wal`)
    if (momentOf(file) === before) break
    if (attempt === ATTEMPTS) throw new Error('something else keeps writing to the database')
  }
  // Merges the log into the file, so that the copy is one file.
  const whole = new Database(partial)
  try {
    whole.pragma('journal_mode = DELETE')
  } finally {
    whole.close()
  }
  chmodSync(partial, 0o600)
  flushFile(partial)
  renameSync(partial, copy)
  syncFolderNow(dirname(copy))
}

/** Waits until the disk has all of a file. */
export function flushFile(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Changes with each write to a database. */
const momentOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }))
    .map((facts) => `${facts?.size} ${facts?.mtimeNs}`)
    .join(' ')
