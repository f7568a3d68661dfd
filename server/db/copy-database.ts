/** A copy of the database while it is used. */
import { chmod, rename, rm } from 'node:fs/promises'
import type { Db } from './client.ts'

const PAGES_AT_ONCE = 2000

/** Writes a whole copy to `file`, or nothing. Throws what the signal says, or the file system. */
export async function copyDatabase(
  db: Pick<Db, 'sqlite'>,
  file: string,
  following: { readonly signal?: AbortSignal; readonly onProgress: (fraction: number) => void },
): Promise<void> {
  const partial = `${file}.part`
  try {
    await db.sqlite.backup(partial, {
      progress: ({ totalPages, remainingPages }) => {
        following.signal?.throwIfAborted()
        following.onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages)
        return PAGES_AT_ONCE
      },
    })
    following.signal?.throwIfAborted()
    await chmod(partial, 0o600)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
