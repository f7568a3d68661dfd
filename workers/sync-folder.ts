/** So that a power cut does not undo what was created or renamed in a folder. */
import { open } from 'node:fs/promises'

export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync().catch((error: NodeJS.ErrnoException) => {
    // Some file systems cannot sync a folder; what was done in it is done anyway.
    if (!['EINVAL', 'EPERM', 'EISDIR'].includes(error.code ?? '')) throw error
  })
}
