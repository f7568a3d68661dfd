/** Restores a backup; everything that can fail is done on a copy, before the database is touched. */
import Database from 'better-sqlite3'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  lchownSync,
  openSync,
  readSync,
  statSync,
  realpathSync,
} from 'node:fs'
import { link, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../contract/errors.ts'
import { syncFolderNow } from '../../workers/sync-folder.ts'
import { migrationsFolder, openDatabase, type Db } from './client.ts'
import { isOutOfRoom, outOfRoom } from './opening-failures.ts'
import { VERIFIED_BACKUP } from './settings.ts'
import { flushFile, standingOf } from './upgrade.ts'
import { verifyCopy } from './verify-copy.ts'

const HEAD = 'SQLite format 3\0'
const PARTS = ['', '-wal', '-shm'] as const
const WAIT_MS = 1000

const refusal = (file: string, why: string, cause?: unknown): AppError =>
  new AppError('INVALID_REQUEST', { message: `${file} cannot be restored: ${why}.`, cause })

/** Whether it can be one at all, by its first bytes. Throws INVALID_REQUEST. */
export function checkHead(file: string): void {
  const head = Buffer.alloc(HEAD.length)
  try {
    if (!statSync(file).isFile()) throw refusal(file, 'it is no file')
    const handle = openSync(file, 'r')
    try {
      readSync(handle, head)
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw refusal(file, 'there is no such file', error)
    throw refusal(file, `it cannot be read (${message}); give it to the user who runs this`, error)
  }
  if (head.toString('latin1') !== HEAD) throw refusal(file, 'it is no database')
}

/**
 * Copies `file` beside `database`, checks and migrates the copy, lets `prepare` change it, and puts it in place. Returns
 * the name of the previous database, or null. Throws INVALID_REQUEST for anything but a sound backup, INVALID_STATE,
 * DISK_FULL; the current database, which no other process may use, is untouched then.
 */
export async function putBack(
  file: string,
  database: string,
  prepare: (db: Db) => void,
): Promise<string | null> {
  const partial = `${database}.restoring`
  try {
    await copyWithLog(file, partial)
    check(file, partial)
    const db = openDatabase(partial, { copyFirst: false })
    try {
      prepare(db)
    } finally {
      db.close()
    }
    flushFile(partial)
    giveToOwner(partial, dirname(database))
    closeWhatIsThere(database)
    return await exchange(partial, database)
  } catch (error) {
    await removeAll(partial)
    throw isOutOfRoom(error) ? outOfRoom(partial, error) : error
  }
}

async function removeAll(file: string): Promise<void> {
  for (const part of PARTS) await rm(`${file}${part}`, { force: true })
}

async function copyWithLog(file: string, partial: string): Promise<void> {
  await removeAll(partial)
  await copyPrivately(file, partial)
  if (existsSync(`${file}-wal`)) await copyPrivately(`${file}-wal`, `${partial}-wal`)
}

/** Its owner's only, to read and to write: a backup may be anybody's to read, and protected from being written to. */
const copyPrivately = (from: string, to: string): Promise<void> =>
  pipeline(createReadStream(from), createWriteStream(to, { flags: 'wx', mode: 0o600 }))

/** Sound, and ours. The log becomes part of the copy. */
function check(file: string, partial: string): void {
  let sqlite: Database.Database | null = null
  try {
    sqlite = new Database(partial, { fileMustExist: true })
    sqlite.pragma('journal_mode = DELETE')
    if (sqlite.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw refusal(file, 'it is damaged')
    const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all()
    if (!['companies', 'clips', 'media'].every((name) => tables.includes(name)))
      throw refusal(file, 'it is no backup of Cutroom')
    if (standingOf(sqlite, migrationsFolder()) === 'newer')
      throw refusal(file, 'it is of a newer version of Cutroom')
  } catch (error) {
    if (error instanceof AppError || isOutOfRoom(error)) throw error
    throw refusal(file, 'it is damaged', error)
  } finally {
    sqlite?.close()
  }
}

/** Root may restore for another user, who could not write to root's files. */
function giveToOwner(file: string, home: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(home)
  lchownSync(file, uid, gid)
}

/** Merges the log into the previous database, which nobody else may have open. A damaged one stays as it is. */
function closeWhatIsThere(database: string): void {
  if (!existsSync(database)) return
  let sqlite: Database.Database | null = null
  try {
    sqlite = new Database(database, { fileMustExist: true, timeout: WAIT_MS })
    sqlite.pragma('journal_mode = DELETE')
  } catch (cause) {
    const code = (cause as { code?: unknown }).code
    if (typeof code === 'string' && code.startsWith('SQLITE_BUSY'))
      throw new AppError('INVALID_STATE', {
        message: `Another command of Cutroom has ${database} open (cutroom mcp?). End it, and restore again; nothing was changed.`,
        cause,
      })
  } finally {
    sqlite?.close()
  }
}

/** A database exists at each moment: an appliance that starts without one would create an empty one. */
async function exchange(partial: string, database: string): Promise<string | null> {
  const aside = `${database}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`
  const kept = existsSync(database) ? aside : null
  // A log that could not be taken in belongs to its file.
  for (const part of ['-wal', '-shm'])
    if (existsSync(`${database}${part}`)) await rename(`${database}${part}`, `${aside}${part}`)
  // Without hard links it is missing for a moment.
  if (kept !== null) await link(database, aside).catch(() => rename(database, aside))
  await rename(partial, database)
  syncFolderNow(dirname(database))
  return kept
}

const PAGES_AT_ONCE = 2000

/** Whether a given file is the database itself, also through links: a backup written there would destroy it. */
export const isDatabaseItself = (file: string, database: string): boolean =>
  existsSync(file) && existsSync(database) && realpathSync(file) === realpathSync(database)

/**
 * Copies what is committed to `file`, where nothing is, without looking whether it is sound. Of the same moment for all
 * pages, while others write. Throws the signal's reason, or the file system's error.
 */
export async function copyPages(
  db: Pick<Db, 'sqlite'>,
  file: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await inSnapshot(db, async () => {
    await removeAll(file)
    await copyInto(db, file, { signal })
  })
}

/**
 * Writes a whole and sound copy of a snapshot to `file`, or leaves it as it is: written beside it, verified, synced, then
 * renamed. Others may write meanwhile; `db` has no transaction open and is not used for anything else until then. Throws
 * INVALID_STATE where the copy is not sound, the signal's reason, or the file system's error.
 */
export async function copyDatabase(
  db: Pick<Db, 'sqlite'>,
  file: string,
  following: { readonly signal?: AbortSignal; readonly onProgress: (fraction: number) => void },
): Promise<void> {
  const partial = `${file}.part`
  const begun = Date.now()
  await inSnapshot(db, async () => {
    await removeAll(partial)
    try {
      await copyInto(db, partial, following)
      await verifyCopy(db, partial, { file, signal: following.signal })
      noteMoment(partial, begun)
      flushFile(partial)
      // A log of what was there before would be taken for one of the new file.
      for (const part of ['-wal', '-shm']) await rm(`${file}${part}`, { force: true })
      await rename(partial, file)
      syncFolderNow(dirname(file))
    } catch (error) {
      await removeAll(partial)
      throw error
    }
  })
}

/** SQLite begins a copy again after each write of others, unless it is of a snapshot. */
async function inSnapshot(db: Pick<Db, 'sqlite'>, act: () => Promise<void>): Promise<void> {
  db.sqlite.exec('begin')
  try {
    // A transaction begins to see with its first read.
    db.sqlite.prepare('select count(*) from sqlite_master').get()
    await act()
  } finally {
    db.sqlite.exec('rollback')
  }
}

async function copyInto(
  db: Pick<Db, 'sqlite'>,
  partial: string,
  { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: (fraction: number) => void },
): Promise<void> {
  // No other user can read it while it is written, or have placed a link there.
  await writeFile(partial, '', { mode: 0o600, flag: 'wx' })
  await db.sqlite.backup(partial, {
    progress: ({ totalPages, remainingPages }) => {
      signal?.throwIfAborted()
      onProgress?.(totalPages === 0 ? 1 : 1 - remainingPages / totalPages)
      return PAGES_AT_ONCE
    },
  })
  signal?.throwIfAborted()
}

/** What is put back knows of when it is, so that nothing newer is removed by it. */
function noteMoment(copy: string, begun: number): void {
  const sqlite = new Database(copy, { fileMustExist: true })
  try {
    sqlite
      .prepare(
        'insert into settings (key, value) values (?, ?) on conflict (key) do update set value = excluded.value',
      )
      .run(VERIFIED_BACKUP, String(begun))
  } finally {
    sqlite.close()
  }
}
