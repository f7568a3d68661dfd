/** So that a power cut does not undo what was created or renamed in a folder. */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Some file systems cannot sync a folder; what was done in it is done anyway. */
function allowUnsyncable(error: unknown): void {
  if (!['EINVAL', 'EPERM', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
}

export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync().catch(allowUnsyncable)
}

/** Waits until a file is on the disk. */
export async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  await file.sync()
}

/** `syncFolder` for code that does not wait. */
export function syncFolderNow(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } catch (error) {
    allowUnsyncable(error)
  } finally {
    closeSync(folder)
  }
}

/** Makes a folder that only its owner can read, and what is missing above it, so that a power cut does not undo it. */
export async function makeSyncedFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  for (const folder of foldersAround(first, path)) await syncFolder(folder)
}

/** The same, for code that does not wait. */
export function makeSyncedFolderNow(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  for (const folder of foldersAround(first, path)) syncFolderNow(folder)
}

/** Those in which a folder was made, of which `first` was the uppermost. */
function foldersAround(first: string | undefined, path: string): string[] {
  const folders: string[] = []
  for (let made = path; first !== undefined && made.length >= first.length; made = dirname(made))
    folders.push(dirname(made))
  return folders
}
