/** Where backups lie: named pieces of bytes, each whole or not there. In a folder here, in a bucket: adapters/s3-store.ts. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import { makeSyncedFolder, syncFolder } from '../../../workers/sync-folder.ts'

export interface BackupStore {
  /** As a person knows it. */
  readonly place: string
  /** Stores a piece, durably, or throws and leaves what was there. */
  readonly put: (name: string, bytes: Uint8Array) => Promise<void>
  /** Null: there is none of this name. */
  readonly get: (name: string) => Promise<Buffer | null>
  /** Whether a piece is there; from then on it is as new as one that was just put. */
  readonly keep: (name: string) => Promise<boolean>
  /** Names that begin with `folder/`, in no order. Empty where there are none. */
  readonly list: (folder: string) => Promise<readonly string[]>
  /** When a piece was put or kept last, milliseconds since the epoch; null: it is gone. */
  readonly putAt: (name: string) => Promise<number | null>
  readonly remove: (name: string) => Promise<void>
}

const unavailable = (place: string, cause: unknown): AppError => {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('DISK_FULL', {
      message: `There is no room for the backup at ${place}. Free some there; it goes on by itself.`,
      cause,
    })
  return new AppError('BACKUP_UNAVAILABLE', {
    message: `The backups at ${place} cannot be used: ${message}. Mount the disk, or give your user access to it.`,
    cause,
  })
}

/**
 * Pieces as files below a folder, which must be there: an unmounted disk is not taken for an empty one. Throws
 * BACKUP_UNAVAILABLE, DISK_FULL.
 */
export function openFolderStore(root: string): BackupStore {
  const use = async <T>(act: () => Promise<T>, otherwise?: T): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && otherwise !== undefined && existsSync(root))
        return otherwise
      throw unavailable(root, error)
    }
  }
  const pathOf = (name: string): string => join(root, name)
  return {
    place: root,
    put: (name, bytes) => use(() => writeWhole(root, pathOf(name), bytes)),
    get: (name) => use<Buffer | null>(() => readFile(pathOf(name)), null),
    keep: (name) =>
      use(async () => {
        const now = new Date()
        await utimes(pathOf(name), now, now)
        return true
      }, false),
    list: (folder) => use(async () => await namesBelow(root, folder), []),
    putAt: (name) => use<number | null>(async () => (await stat(pathOf(name))).mtimeMs, null),
    remove: (name) => use(() => rm(pathOf(name), { force: true })),
  }
}

/** Written beside its place, synced, renamed: a power cut leaves it whole or not at all. */
async function writeWhole(root: string, path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path)
  // Never the root itself: it would be made where the disk is to be mounted.
  await stat(root)
  await makeSyncedFolder(folder)
  const partial = join(folder, `.${randomUUID()}.part`)
  try {
    const file = await open(partial, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, path)
    await syncFolder(folder)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function namesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const names: string[] = []
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) names.push(...(await namesBelow(root, name)))
    else if (entry.isFile()) names.push(name)
  }
  return names
}
