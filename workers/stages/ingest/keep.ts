/** Stores finished bytes under the sources folder, once. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, open, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sourcePath } from '../../paths.ts'
import { makeSyncedFolder, syncFile, syncFolder } from '../../sync-folder.ts'
import { SNIFF_BYTES } from './pure/media-type.ts'

/** Whether this content is stored already and has the right size. */
export async function isStored(sources: string, digest: string, bytes: number): Promise<boolean> {
  try {
    const found = await stat(sourcePath(sources, digest))
    return found.isFile() && found.size === bytes
  } catch {
    return false
  }
}

/**
 * Moves a synced file to its place, also where one of its name is: that may be damaged, and this one was just read. Where the
 * system does not replace a file that is open, `path` is left for the caller to delete.
 */
export async function storeSource(
  sources: string,
  path: string,
  digest: string,
  bytes: number,
): Promise<void> {
  const target = sourcePath(sources, digest)
  await makeSyncedFolder(dirname(target))
  try {
    await rename(path, target)
  } catch (error) {
    if (!(await isStored(sources, digest, bytes))) throw error
    // Updates the change time of the file: it is needed by somebody whom no table lists yet, so cleanup must not delete it.
    await chmod(target, (await stat(target)).mode & 0o777)
    return
  }
  await syncFolder(dirname(target))
}

/** Hashes, syncs and moves a file that another tool has written. Resolves to its SHA-256. */
export async function storeFinishedFile(
  sources: string,
  path: string,
  bytes: number,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer)
  await syncFile(path)
  const digest = hash.digest('hex')
  await storeSource(sources, path, digest, bytes)
  return digest
}

/** As many bytes as `sniff` needs, or all of a shorter file. */
export async function readFileHead(path: string): Promise<Buffer> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

/** Writes a file that only this user can read, and waits until it is on the disk. */
export async function writeSynced(path: string, bytes: Buffer): Promise<void> {
  await writeFile(path, bytes, { mode: 0o600, flush: true })
}
