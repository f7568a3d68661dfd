/** Makes one backup at the place that the settings name: what is there already is not copied again. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'
import { AppError } from '../../contract/errors.ts'
import { openToRead } from '../../db/client.ts'
import { countRows, tablesOf } from '../../db/full-check/find-damage.ts'
import { copyDatabase, copyPages } from '../../db/put-back.ts'
import {
  BACKUPS_ID,
  getSetting,
  LAST_BACKUP,
  saveSetting,
  setSetting,
  VERIFIED_BACKUP,
} from '../../db/settings.ts'
import { newId } from '../../ids.ts'
import type { Services } from '../services.ts'
import { DATABASE_PIECE_BYTES, FILE_PIECE_BYTES, storeFile, writeFileOf } from './copy-pieces.ts'
import { digestInName, listHomeFiles } from './home-files.ts'
import {
  filesText,
  listSnapshots,
  loadFiles,
  loadSnapshot,
  saveSnapshot,
  type FileEntry,
  type Snapshot,
} from './snapshot.ts'
import { openStore } from './open-store.ts'
import type { BackupStore } from './store.ts'
import { beginVault, openVault, type Vault } from './vault.ts'

export type BackupServices = Pick<Services, 'config' | 'home' | 'db' | 'now'>

export interface Making {
  /** Read all of it back, and hold it against what was copied. */
  readonly verify: boolean
  /** Look for new files; otherwise those of the backup before are named again. */
  readonly files: boolean
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((fraction: number, note: string) => void) | undefined
}

export interface Made {
  readonly snapshot: Snapshot
  /** Bytes that were not there before. */
  readonly written: number
  /** Originals that are not what their names say. Where an earlier backup had them whole, this one has them so. */
  readonly rotten: readonly string[]
}

/** The place that the settings name. Throws INVALID_REQUEST without one. */
function ownStore({ config }: Pick<Services, 'config'>): BackupStore {
  const { to } = config.backups
  if (to === null)
    throw new AppError(
      'INVALID_REQUEST',
      'No place for backups is set: name a folder or a bucket by CUTROOM_BACKUP_TO.',
    )
  return openStore(to, config)
}

/**
 * The backups of this home; begun where the folder has none yet and this home never had any. Throws BACKUP_UNAVAILABLE
 * where they are not where they were (another disk, or not mounted), INVALID_CONFIGURATION for a key that does not fit.
 */
export async function openOwnVault(services: BackupServices): Promise<Vault> {
  const { config, db } = services
  const store = ownStore(services)
  const expected = getSetting(db, BACKUPS_ID)
  const found = await openVault(store, config.backups.keyFile)
  if (found === null) {
    if (expected !== null) throw elsewhere(store.place)
    return await beginBackups(services)
  }
  if (saveSetting(db, BACKUPS_ID, found.id) !== found.id) throw elsewhere(store.place)
  return found
}

/** Begins backups of this home, wherever others were before. Throws INVALID_REQUEST where there are some already. */
export async function beginBackups(services: BackupServices): Promise<Vault> {
  const { config, db } = services
  const store = ownStore(services)
  const { keyFile } = config.backups
  if ((await openVault(store, keyFile)) !== null)
    throw new AppError('INVALID_REQUEST', `There are backups at ${store.place} already.`)
  const vault = await beginVault(store, { id: newId(), keyFile })
  setSetting(db, BACKUPS_ID, vault.id)
  return vault
}

const elsewhere = (to: string): AppError =>
  new AppError('BACKUP_UNAVAILABLE', {
    message: `The backups of this home are not at ${to}: the disk is not mounted, or is another one. Mount it; to begin others there: cutroom backups begin.`,
  })

/**
 * One backup of now. A verified one has its name only after all that was written for it was read back, and its database
 * was found sound and complete. Throws INVALID_STATE (damage), DISK_FULL, BACKUP_UNAVAILABLE, the signal's reason.
 */
export async function makeBackup(services: BackupServices, vault: Vault, making: Making): Promise<Made> {
  const { home, db, now } = services
  const { signal, verify } = making
  const begun = now()
  const copy = join(home.temporary, `backup-${randomUUID()}.sqlite`)
  try {
    if (verify) await vault.renewHead()
    // Once in a while: a store may have a million pieces.
    const isSound = verify ? await vault.survey() : () => true
    await copyNow(services, copy, making)
    const database = await storeFile(vault, copy, { pieceBytes: DATABASE_PIECE_BYTES, signal })
    const known = making.files ? null : await newestSnapshot(vault)
    const files = known === null ? await storeFiles(services, vault, making, isSound) : null
    const snapshot: Snapshot = {
      version: 1,
      moment: new Date(begun).toISOString(),
      verified: verify && files?.lost !== true,
      database: {
        bytes: database.bytes,
        pieces: database.pieces,
        rows: verify ? rowsOf(copy) : {},
      },
      files: files?.list ?? known?.files ?? { count: 0, bytes: 0, pieces: [] },
    }
    if (verify) {
      await verifyDatabase(vault, snapshot, copy, signal)
      for (const piece of files?.fresh ?? []) {
        signal?.throwIfAborted()
        await vault.load(piece)
      }
    }
    await saveSnapshot(vault, snapshot)
    setSetting(db, LAST_BACKUP, String(now()))
    if (snapshot.verified) setSetting(db, VERIFIED_BACKUP, String(begun))
    return {
      snapshot,
      written: database.fresh.length * DATABASE_PIECE_BYTES + (files?.written ?? 0),
      rotten: files?.rotten ?? [],
    }
  } finally {
    for (const part of ['', '-wal', '-shm', '.part']) await rm(`${copy}${part}`, { force: true })
  }
}

async function copyNow({ home }: BackupServices, copy: string, making: Making): Promise<void> {
  // A connection of its own: the copy is of one moment, while others go on writing.
  const source = openToRead(home.database)
  try {
    if (!making.verify) return await copyPages(source, copy, making.signal)
    await copyDatabase(source, copy, {
      ...(making.signal === undefined ? {} : { signal: making.signal }),
      onProgress: (fraction) => making.onProgress?.(fraction / 10, 'Copying and checking the database'),
    })
  } finally {
    source.close()
  }
}

/** What `read` makes of the newest backup that it can read; null: there is none, or it is damaged as those before it. */
async function readNewest<T>(vault: Vault, read: (snapshot: Snapshot) => Promise<T>): Promise<T | null> {
  for (const { name } of (await listSnapshots(vault)).slice(0, 3)) {
    try {
      return await read(await loadSnapshot(vault, name))
    } catch (error) {
      // A damaged one costs copying again, and is told by whoever verifies or restores it.
      if (!(error instanceof AppError && error.code === 'INVALID_STATE')) throw error
    }
  }
  return null
}

/** Its list of files is not read: it is long, and a backup of each minute only names it. */
const newestSnapshot = (vault: Vault): Promise<Snapshot | null> =>
  readNewest(vault, (snapshot) => Promise.resolve(snapshot))

interface StoredFiles {
  readonly list: Snapshot['files']
  /** Pieces that were not there before. */
  readonly fresh: readonly string[]
  /** Bytes of files that had such pieces. */
  readonly written: number
  readonly rotten: readonly string[]
  /** One of them is whole in no backup. */
  readonly lost: boolean
}

async function storeFiles(
  { home }: BackupServices,
  vault: Vault,
  { signal, onProgress }: Making,
  isSound: (piece: string) => boolean,
): Promise<StoredFiles> {
  const newest = (await readNewest(vault, (snapshot) => loadFiles(vault, snapshot))) ?? []
  const known = new Map(newest.map((entry) => [entry.path, entry]))
  const entries: FileEntry[] = []
  const fresh: string[] = []
  const rotten: string[] = []
  let lost = false
  const found = await listHomeFiles(home, { withKey: vault.sealed, signal })
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0)
  let written = 0
  let done = 0
  for (const { path, bytes, changed } of found) {
    signal?.throwIfAborted()
    const before = known.get(path)
    const whole = before?.pieces.every(isSound) === true ? before : undefined
    if (whole?.bytes === bytes && whole.changed === changed) entries.push(whole)
    else {
      const stored = await storeIfThere(vault, join(home.root, path), signal)
      if (stored === null) continue
      const isRotten = (digestInName(path) ?? stored.digest) !== stored.digest
      if (isRotten) rotten.push(path)
      if (isRotten && whole === undefined) lost = true
      // A time that no file has: the next backup looks at it again.
      const read = { path, bytes: stored.bytes, changed: isRotten ? 0 : changed, pieces: stored.pieces }
      entries.push(isRotten && whole !== undefined ? whole : read)
      fresh.push(...stored.fresh)
      written += stored.fresh.length === 0 ? 0 : stored.bytes
    }
    done += bytes
    onProgress?.(0.1 + (total === 0 ? 0.7 : (0.7 * done) / total), 'Copying files')
  }
  return { list: await storeList(vault, entries), fresh, written, rotten, lost }
}

/** Null: it was removed since the folder was read, so nothing needs it. */
async function storeIfThere(vault: Vault, path: string, signal: AbortSignal | undefined) {
  try {
    return await storeFile(vault, path, { pieceBytes: FILE_PIECE_BYTES, signal })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function storeList(vault: Vault, entries: readonly FileEntry[]): Promise<Snapshot['files']> {
  const text = Buffer.from(filesText(entries))
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += FILE_PIECE_BYTES)
    pieces.push((await vault.save(text.subarray(at, at + FILE_PIECE_BYTES))).name)
  return { count: entries.length, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0), pieces }
}

function rowsOf(file: string): Record<string, number> {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    return Object.fromEntries(tablesOf(sqlite).map((table) => [table, countRows(sqlite, table)]))
  } finally {
    sqlite.close()
  }
}

/** The copy was found sound; what lies in the store has to be that copy. */
async function verifyDatabase(
  vault: Vault,
  { database }: Snapshot,
  copy: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const path = `${copy}.part`
  const stored = await writeFileOf(vault, database.pieces, { path, signal })
  const copied = createHash('sha256')
  await pipeline(createReadStream(copy), copied)
  if (stored !== copied.digest('hex'))
    throw new AppError('INVALID_STATE', {
      message: `The database that was read back from ${vault.store.place} is not the one that was copied: the disk is not to be trusted.`,
    })
}
