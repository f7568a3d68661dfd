/** Puts finished bytes in their place under the sources folder, once. */
import { mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sourcePath } from '../../paths.ts'

/** Whether this content is kept already, whole by its size. */
export async function isKept(sources: string, digest: string, bytes: number): Promise<boolean> {
  try {
    const found = await stat(sourcePath(sources, digest))
    return found.isFile() && found.size === bytes
  } catch {
    return false
  }
}

/** Moves a synced file to its place; content that is there already stays, and `path` is left for the caller to remove. */
export async function keepSource(
  sources: string,
  path: string,
  digest: string,
  bytes: number,
): Promise<void> {
  if (await isKept(sources, digest, bytes)) return
  const target = sourcePath(sources, digest)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await rename(path, target)
  const folder = await open(dirname(target), 'r')
  try {
    await folder.sync()
  } catch (error) {
    // Some file systems cannot sync a folder; the rename itself stands.
    if (!['EINVAL', 'EPERM', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await folder.close()
  }
}
