/** Takes a home out of its backups: files that are missing or are not what they were, and the database beside them. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import type { Home } from '../../home.ts'
import { freeBytes } from '../../../workers/media/disk.ts'
import { holdsPieces, writeFileOf, type Following } from './copy-pieces.ts'
import {
  listSnapshots,
  loadFiles,
  loadSnapshot,
  snapshotAt,
  type FileEntry,
  type Snapshot,
} from './snapshot.ts'
import { openStore } from './open-store.ts'
import { openVault, type Vault } from './vault.ts'

/** Backups that lie in a folder or a bucket, opened to be read. Throws INVALID_REQUEST where there are none. */
export async function openBackupsIn(
  place: string,
  config: Pick<Config, 'backups' | 's3' | 'network'>,
): Promise<Vault> {
  return (
    (await openVault(openStore(place, config), config.backups.keyFile)) ??
    refuse(`There are no backups in ${place}: name what CUTROOM_BACKUP_TO names.`)
  )
}

const refuse = (message: string): never => {
  throw new AppError('INVALID_REQUEST', { message })
}

/** The backup of `at` or the newest one before. Throws INVALID_REQUEST where there is none. */
export async function findSnapshot(vault: Vault, at: number): Promise<Snapshot> {
  const all = await listSnapshots(vault)
  const found = snapshotAt(all, at)
  if (found !== null) return await loadSnapshot(vault, found.name)
  const oldest = all.at(-1)
  const { place } = vault.store
  if (oldest === undefined) return refuse(`There is no backup at ${place} yet.`)
  return refuse(
    `There is no backup at ${place} of ${new Date(at).toISOString()} or before; the oldest is of ${new Date(oldest.at).toISOString()}.`,
  )
}

export interface RestoredFiles {
  readonly restored: number
  readonly bytes: number
  /** They were there as they had been. */
  readonly there: number
}

/**
 * Whether a file is here as a backup has it: by its length and time, and by its content where it was written to since. All
 * of the footage is not read for that.
 */
async function isHere(vault: Vault, home: Home, file: FileEntry, following: Following): Promise<boolean> {
  const path = join(home.root, file.path)
  const facts = await stat(path).catch(() => null)
  if (facts?.size !== file.bytes) return false
  return (
    Math.floor(facts.mtimeMs) === file.changed || (await holdsPieces(vault, path, file.pieces, following))
  )
}

/**
 * Writes the files of a backup that are missing in the home, or are not what they were. What is there and is not in the
 * backup stays. Throws DISK_FULL before anything is written, INVALID_STATE for damaged pieces.
 */
export async function restoreFiles(
  vault: Vault,
  snapshot: Snapshot,
  home: Home,
  { signal, onBytes }: Following = {},
): Promise<RestoredFiles> {
  const files = await loadFiles(vault, snapshot)
  const missing: FileEntry[] = []
  for (const file of files) if (!(await isHere(vault, home, file, { signal }))) missing.push(file)
  const bytes = missing.reduce((sum, file) => sum + file.bytes, 0)
  if ((await freeBytes(home.root)) < bytes)
    throw new AppError('DISK_FULL', {
      message: `${missing.length} files of ${bytes} bytes are to be put back, and there is not so much room at ${home.root}. Nothing was changed.`,
    })
  for (const { path, pieces, changed } of missing)
    await writeFileOf(vault, pieces, {
      path: join(home.root, path),
      changed,
      signal,
      ...(onBytes && { onBytes }),
    })
  return { restored: missing.length, bytes, there: files.length - missing.length }
}

/** Writes the database of a backup to `path`. */
export const restoreDatabase = (
  vault: Vault,
  { database }: Snapshot,
  path: string,
  following: Following = {},
): Promise<string> => writeFileOf(vault, database.pieces, { path, ...following })
