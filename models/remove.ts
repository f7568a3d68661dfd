/** Deletes the files of an installed model, and folders that are empty afterwards. */
import { readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { recordFile, type InstalledModel } from './installed.ts'

/** Removes the model from `root`, the models folder that it is in. Resolves to the number of bytes freed. */
export async function removeInstalled(root: string, model: InstalledModel): Promise<number> {
  const home = resolve(root)
  let bytes = 0
  for (const file of model.files) {
    const path = join(model.folder, file.path)
    await rm(path, { force: true })
    bytes += file.bytes
    await removeEmptyFolders(dirname(path), home)
  }
  await rm(recordFile(model.folder, model.name), { force: true })
  await removeEmptyFolders(model.folder, home)
  return bytes
}

/** Several models share a folder, and users may have files of their own there: only empty folders are removed. */
async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let at = resolve(folder); isBelow(at, root); at = dirname(at)) {
    const inside = await readdir(at).catch(() => null)
    if (inside === null) continue
    if (inside.length > 0) return
    await rmdir(at)
  }
}

/** Whether a folder lies inside another one. */
function isBelow(folder: string, root: string): boolean {
  const way = relative(resolve(root), resolve(folder))
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(root, way) === resolve(folder)
}
