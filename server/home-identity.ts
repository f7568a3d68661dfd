/**
 * Whether database and footage of a home belong together. The appliance's id is in the database and in `home.json`
 * beside the footage. A database that is missing, empty or of another home is refused before anything is created or
 * deleted: docs/decisions/0075.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from './contract/errors.ts'
import { openDatabase, openingFailure, type Db, type Opening } from './db/client.ts'
import { tablesOf } from './db/full-check/find-damage.ts'
import { requireSoundLog } from './db/log-damage.ts'
import { APPLIANCE_ID, getSetting, JOINED_FOOTAGE, saveSetting, setSetting } from './db/settings.ts'
import { requireNotBehind } from './domain/standby/standing.ts'
import type { Home } from './home.ts'
import { newId } from './ids.ts'
import { syncFolderNow } from '../workers/sync-folder.ts'

/** How a database stands to the home that it lies in. */
type Standing =
  | { readonly kind: 'own' }
  /** Nothing is there to lose, or the database knows the footage: it becomes the home's own when it is opened. */
  | { readonly kind: 'joins' }
  | { readonly kind: 'lost'; readonly why: string }

/** What a database says about itself, read without changing it. */
interface Facts {
  readonly id: string | null
  /** Somebody has worked with it: there is a company. */
  readonly used: boolean
  readonly knows: (home: Home) => boolean
}

/** The id that stands beside the footage; null: none, or the file cannot be read as one. */
function identityBesideFootage(home: Home): string | null {
  try {
    const value = JSON.parse(readFileSync(home.identity, 'utf8')) as Record<string, unknown> | null
    const { applianceId, sum } = value ?? {}
    if (typeof applianceId !== 'string' || applianceId === '') return null
    return sum === undefined || sum === sumOf(applianceId) ? applianceId : null
  } catch {
    return null // missing or damaged: the database then has to show that it knows the footage
  }
}

/** A changed letter must not make it another home's. Files of earlier versions have none. */
const sumOf = (applianceId: string): string => createHash('sha256').update(applianceId).digest('hex')

/** Files of people and what was made of them: sources, uploads, results. What is still coming in does not count. */
const hasFootage = (home: Home): boolean =>
  [home.sources, home.artefacts, home.uploads].some((folder) => hasFile(folder, 4))

function hasFile(folder: string, depth: number): boolean {
  if (!existsSync(folder)) return false
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => !name.startsWith('.') && !/\.(part|gone)$/.test(name),
  )
  if (entries.some((entry) => entry.isFile())) return true
  return (
    depth > 1 && entries.some((entry) => entry.isDirectory() && hasFile(join(folder, entry.name), depth - 1))
  )
}

/**
 * Throws HOME_DATABASE_LOST where the database is not the one that the footage belongs to, INVALID_STATE where its log is
 * damaged, NOT_IN_CHARGE where the home is that of a standby. Creates and changes nothing.
 */
export function requireOwnDatabase(home: Home): void {
  requireNotBehind(home)
  const standing = standingOfHome(home)
  if (standing.kind === 'lost') throw lost(home, standing.why)
  requireSoundLog(home.database)
}

/** How database and footage stand to each other. Throws INVALID_STATE for a damaged one. */
export function standingOfHome(home: Home): Standing {
  const beside = identityBesideFootage(home)
  const facts = factsOfDatabase(home.database)
  if (facts === null) {
    const what = existsSync(home.database) ? 'is empty' : 'is missing'
    return beside !== null || hasFootage(home) ? { kind: 'lost', why: what } : { kind: 'joins' }
  }
  if (facts.id !== null && facts.id === beside) return { kind: 'own' }
  return joining(home, facts, beside)
}

/** `beside`: the id that the footage is of. */
function joining(home: Home, facts: Facts, beside: string | null): Standing {
  if (!hasFootage(home)) return { kind: 'joins' }
  if (facts.id !== null && beside !== null) return { kind: 'lost', why: 'is of another home' }
  // Without an id beside the footage, it is a home of before there were any.
  if ((beside === null && facts.used) || facts.knows(home)) return { kind: 'joins' }
  return { kind: 'lost', why: 'knows nothing of the footage beside it' }
}

const lost = ({ root }: Home, why: string): AppError =>
  new AppError('HOME_DATABASE_LOST', {
    message: `The database of ${root} ${why}, but this home was used before: nothing was started, changed or deleted (HOME_DATABASE_LOST). Put a backup back: cutroom restore FILE. To begin anew beside the footage that is here: cutroom home adopt.`,
    details: { home: root, why },
  })

/**
 * A power cut while the database was made, or put back, leaves a journal that only a writer may roll back: what was half
 * written goes, as with the next opening of any other.
 */
function endHalfWrite(file: string): void {
  if (!existsSync(`${file}-journal`)) return
  const sqlite = new Database(file, { fileMustExist: true, timeout: 10_000 })
  try {
    sqlite.prepare('select 1 from sqlite_master limit 1').get()
  } finally {
    sqlite.close()
  }
}

/** Null: there is no database, or nothing is in it. */
function factsOfDatabase(file: string): Facts | null {
  try {
    if (existsSync(file)) endHalfWrite(file)
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return null
    const facts = withReader(file, (sqlite) =>
      tablesOf(sqlite).includes('settings') ? factsOf(sqlite) : null,
    )
    if (facts === null) return null
    return { ...facts, knows: (home) => withReader(file, (sqlite) => knowsFootage(sqlite, home)) }
  } catch (error) {
    throw openingFailure(file, error)
  }
}

const factsOf = (sqlite: Database.Database): Omit<Facts, 'knows'> => ({
  id:
    sqlite.prepare<[string], string>('select value from settings where key = ?').pluck().get(APPLIANCE_ID) ??
    null,
  used: sqlite.prepare('select 1 from companies limit 1').get() !== undefined,
})

function withReader<T>(file: string, use: (sqlite: Database.Database) => T): T {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    return use(sqlite)
  } finally {
    sqlite.close()
  }
}

const LISTED = [
  'select path from media',
  "select 'sources/' || substr(digest, 1, 2) || '/' || digest from sources",
  "select 'uploads/' || id from uploads",
]

/** Whether one file that the tables list is here. */
function knowsFootage(sqlite: Database.Database, home: Home): boolean {
  for (const query of LISTED)
    for (const path of sqlite.prepare<[], string>(query).pluck().iterate())
      if (existsSync(join(home.root, path))) return true
  return false
}

/** Opens the home's own database and writes the id where it is not yet. Throws HOME_DATABASE_LOST. */
export function openOwnDatabase(home: Home, opening: Opening = {}): Db {
  requireOwnDatabase(home)
  const db = openDatabase(home.database, opening)
  try {
    markHome(home, db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Throws INVALID_REQUEST where a backup, opened as `db`, is of another home than the footage here. Notes when it came
 * otherwise, and answers its id, which goes beside the footage once it is in place.
 */
export function joinFootage(
  home: Home,
  db: Db,
  { file, adopt, now }: { readonly file: string; readonly adopt: boolean; readonly now: number },
): string {
  const beside = identityBesideFootage(home) ?? idOfPresent(home)
  const { id } = factsOf(db.sqlite)
  const isOwn = id === null ? knowsFootage(db.sqlite, home) : id === beside
  if (!isOwn && !adopt && hasFootage(home) && !(beside === null && knowsFootage(db.sqlite, home)))
    throw new AppError('INVALID_REQUEST', {
      message: `${file} cannot be restored: it is a backup of another home, and footage that it does not know is in ${home.root}. Restore it into an empty home, or have it take this footage with --adopt: what it does not know stays on the disk, listed nowhere.`,
    })
  setSetting(db, JOINED_FOOTAGE, String(now))
  return saveSetting(db, APPLIANCE_ID, beside ?? newId())
}

/** The id of the database that is there; null also where it cannot be read. */
function idOfPresent(home: Home): string | null {
  try {
    return factsOfDatabase(home.database)?.id ?? null
  } catch {
    return null // damaged: the reason to restore
  }
}

/**
 * Takes the footage beside a database that is new or of another home. What lay there of an empty one is moved aside;
 * `kept` is its name. `taken` is false where database and footage belong together already.
 */
export function adoptFootage(
  home: Home,
  now: number,
): { readonly taken: boolean; readonly kept: string | null } {
  const lostBefore = standingOfHome(home).kind === 'lost'
  const kept = lostBefore && factsOfDatabase(home.database) === null ? moveAside(home, now) : null
  const db = openDatabase(home.database)
  try {
    if (lostBefore) setSetting(db, JOINED_FOOTAGE, String(now))
    markHome(home, db)
  } finally {
    db.close()
  }
  return { taken: lostBefore, kept }
}

/** An emptied database may have its last changes in the log beside it, which SQLite would remove. */
function moveAside({ database }: Home, now: number): string | null {
  const aside = `${database}.before-${new Date(now).toISOString().replace(/[:.]/g, '-')}`
  const there = ['', '-wal', '-shm'].filter((part) => existsSync(database + part))
  for (const part of there) renameSync(database + part, aside + part)
  return there.length === 0 ? null : aside
}

/** Has the same id in the database and beside the footage. */
function markHome(home: Home, db: Db): void {
  const beside = identityBesideFootage(home)
  const id = getSetting(db, APPLIANCE_ID) ?? saveSetting(db, APPLIANCE_ID, beside ?? newId())
  if (id !== beside) writeIdentity(home, id)
}

/** Puts an id beside the footage, in one step. */
export function writeIdentity({ identity }: Home, applianceId: string): void {
  const made = `${identity}.${newId()}`
  writeFileSync(made, `${JSON.stringify({ applianceId, sum: sumOf(applianceId) })}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  renameSync(made, identity)
  syncFolderNow(dirname(identity))
}
