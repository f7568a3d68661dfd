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
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../contract/errors.ts'

/** Copies of this many upgrades are kept; older ones go when a new one is made. */
const KEPT = 3
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

/**
 * Keeps a copy beside a database whose tables are about to be changed: `FILE.before-upgrade-MOMENT`. Throws
 * INVALID_STATE for one of a newer program, DISK_FULL when the copy cannot be written; nothing has been changed then.
 */
export function prepareUpgrade(sqlite: Database.Database, file: string, migrations: string): void {
  const standing = standingOf(sqlite, migrations)
  if (standing === 'newer')
    throw new AppError('INVALID_STATE', { message: `${file} is not opened: ${NEWER}.` })
  if (standing !== 'older') return
  sqlite.exec('begin immediate')
  try {
    // Another process may have been first.
    if (standingOf(sqlite, migrations) === 'older') keepCopy(file)
  } finally {
    sqlite.exec('rollback')
  }
}

function keepCopy(file: string): void {
  const copy = `${file}${MARK}${new Date().toISOString().replace(/[:.]/g, '-')}`
  try {
    copyWhole(file, copy)
  } catch (cause) {
    for (const part of ['', '-wal', '-shm']) rmSync(`${copy}.part${part}`, { force: true })
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('DISK_FULL', {
      message: `The database is of an earlier version, and the copy that is kept before it is changed could not be written to ${copy}: ${why}. Make room for it and start again; nothing was changed.`,
      cause,
    })
  }
  const folder = dirname(file)
  const copies = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}${MARK}`))
  for (const name of copies.sort().slice(0, -KEPT)) rmSync(join(folder, name), { force: true })
}

/**
 * While nobody else can write. Others may still move pages from the log to the file in between: so the log is copied after
 * the file, and the two together are whole.
 */
function copyWhole(file: string, copy: string): void {
  const partial = `${copy}.part`
  copyFileSync(file, partial, constants.COPYFILE_FICLONE)
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${partial}-wal`)
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
