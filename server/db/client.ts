/** Opens the database: pragmas, migrations, one connection per process. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import { applicationRoot } from '../config/config.ts'
import { AppError } from '../contract/errors.ts'
import { CACHE_KIB } from './cache.ts'
import { withCachedStatements } from './cached-statements.ts'
import { keepClipsListed } from './listed-clips.ts'
import * as schema from './schema.ts'
import { isForbidden, isOutOfRoom, outOfRoom } from './opening-failures.ts'
import { isOlder, copyBeforeUpgrade } from './upgrade.ts'

export interface Db {
  readonly orm: BetterSQLite3Database<typeof schema>
  readonly sqlite: Database.Database
  /** Whether the file is still where it was opened. Writes to a file that was moved or replaced are lost. */
  isInPlace(): boolean
  /** To be done just before it is closed. */
  beforeClose(act: () => void): void
  close(): void
}

/** SQL files lie in the source tree and are shipped as they are. */
export function migrationsFolder(): string {
  const folder = join(applicationRoot(), 'server', 'db', 'migrations')
  if (!existsSync(folder)) throw new Error(`migrations not found in ${folder}`)
  return folder
}

export interface Opening {
  /** No backup is made of what is a backup itself. */
  readonly copyFirst?: boolean
  /** For callers without the lock of the home: called before tables change; what it returns, afterwards. */
  readonly lockHome?: () => () => void
}

/** Opens and migrates; stores a copy of an older one. Throws INVALID_STATE, DISK_FULL, what `lockHome` throws. */
export function openDatabase(file: string, { copyFirst = true, lockHome }: Opening = {}): Db {
  let sqlite: Database.Database | null = null
  let release: (() => void) | undefined
  try {
    sqlite = connect(file)
    const migrations = migrationsFolder()
    if (isOlder(sqlite, file, migrations)) {
      release = lockHome?.()
      // Whoever held the lock until now may have migrated them.
      if (copyFirst && isOlder(sqlite, file, migrations)) {
        sqlite.close()
        copyBeforeUpgrade(file)
        sqlite = connect(file)
      }
    }
    return migrated(sqlite, migrations, placeOf(file))
  } catch (error) {
    sqlite?.close()
    throw openingFailure(file, error)
  } finally {
    release?.()
  }
}

/** Opens a database without migrating it, to copy it or to write to tables that every version has. */
export function openAsItIs(file: string): Db {
  try {
    return handled(connect(file), placeOf(file))
  } catch (error) {
    throw openingFailure(file, error)
  }
}

/** What somebody does about it: INVALID_STATE for a damaged or forbidden file, DISK_FULL; anything else as it was thrown. */
export function openingFailure(file: string, error: unknown): unknown {
  if (isDamage(error)) return damaged(file, error)
  if (isForbidden(error)) return notOurs(file, error)
  return isOutOfRoom(error) ? outOfRoom(file, error) : error
}

const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)

const notOurs = (file: string, cause: unknown): AppError =>
  new AppError('INVALID_STATE', {
    message: `${file} cannot be opened for writing: ${cause instanceof Error ? cause.message : ''}. Give it, and what lies beside it, to the user who runs this (chown).`,
    cause,
  })

export const damaged = (file: string, cause: unknown): AppError =>
  new AppError('INVALID_STATE', {
    message: `${file} is damaged. Put back a backup: cutroom restore FILE. What is there now is kept beside it.`,
    cause,
  })

/** Creates a missing database for its owner only. SQLite would apply the umask; its log follows the file. */
function beginPrivately(file: string): void {
  if (!existsSync(file) && existsSync(dirname(file))) closeSync(openSync(file, 'a', 0o600))
}

function connect(file: string): Database.Database {
  beginPrivately(file)
  const sqlite = new Database(file)
  try {
    // Durable commits, readers beside one writer, and nothing in a damaged file is trusted.
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('busy_timeout = 10000')
    sqlite.pragma('foreign_keys = ON')
    sqlite.pragma('trusted_schema = OFF')
    sqlite.pragma('cell_size_check = ON')
    sqlite.pragma(`cache_size = -${CACHE_KIB}`)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** As it is now; answers later whether it is so still. */
function placeOf(file: string): () => boolean {
  const here = (): string | null => {
    const facts = statSync(file, { bigint: true, throwIfNoEntry: false })
    return facts === undefined ? null : `${facts.dev} ${facts.ino}`
  }
  const opened = here()
  return () => opened !== null && here() === opened
}

function migrated(sqlite: Database.Database, migrations: string, isInPlace: () => boolean): Db {
  const db = handled(sqlite, isInPlace)
  // BEGIN IMMEDIATE would deadlock inside drizzle's own transaction; two first starts are kept apart by busy_timeout.
  migrate(db.orm, { migrationsFolder: migrations })
  keepClipsListed(sqlite)
  return db
}

function handled(sqlite: Database.Database, isInPlace: () => boolean): Db {
  const orm = drizzle(withCachedStatements(sqlite), { schema })
  const last: (() => void)[] = []
  return {
    orm,
    sqlite,
    isInPlace,
    beforeClose: (act) => void last.push(act),
    close: () => {
      for (const act of last.splice(0)) act()
      sqlite.close()
    },
  }
}

/** Opens read-only: nothing is migrated or written, and the tables may be those of an earlier version. */
export function openToRead(file: string): Db {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  sqlite.pragma('busy_timeout = 10000')
  return handled(sqlite, placeOf(file))
}
