/** A copy of the database while it is used. */
import { existsSync, realpathSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import type { Db } from './client.ts'

const PAGES_AT_ONCE = 2000

/** Whether a path leads to the database itself: a backup written there would destroy it. */
export const isDatabaseItself = (file: string, database: string): boolean =>
  existsSync(file) && existsSync(database) && realpathSync(file) === realpathSync(database)

/** Writes a complete copy to `file`, or nothing. Throws the signal's reason, or file system errors. */
export async function copyDatabase(
  db: Pick<Db, 'sqlite'>,
  file: string,
  following: { readonly signal?: AbortSignal; readonly onProgress: (fraction: number) => void },
): Promise<void> {
  const partial = `${file}.part`
  try {
    // Created exclusively and readable by its owner only, so that an existing link at the path is not followed.
    await rm(partial, { force: true })
    await writeFile(partial, '', { mode: 0o600, flag: 'wx' })
    await db.sqlite.backup(partial, {
      progress: ({ totalPages, remainingPages }) => {
        following.signal?.throwIfAborted()
        following.onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages)
        return PAGES_AT_ONCE
      },
    })
    following.signal?.throwIfAborted()
    // A log of what was there before would be taken for one of the new file.
    for (const part of ['-wal', '-shm']) await rm(`${file}${part}`, { force: true })
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/**
 * Copies while another process writes. SQLite restarts an online backup with every write of another process, and would
 * never finish, so this connection reads from one snapshot; writers are not blocked.
 */
export async function copyBesideWriters(...[db, ...rest]: Parameters<typeof copyDatabase>): Promise<void> {
  db.sqlite.exec('begin')
  try {
    // A transaction begins to see with its first read.
    db.sqlite.prepare('select count(*) from sqlite_master').get()
    await copyDatabase(db, ...rest)
  } finally {
    db.sqlite.exec('rollback')
  }
}
