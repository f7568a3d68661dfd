/** A copy of the database while it is used. */
import { existsSync, realpathSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import type { Db } from './client.ts'

const PAGES_AT_ONCE = 2000

/** Whether a file that somebody names is the database itself, by whatever way: a backup in its place would be its end. */
export const isDatabaseItself = (file: string, database: string): boolean =>
  existsSync(file) && existsSync(database) && realpathSync(file) === realpathSync(database)

/** Writes a whole copy to `file`, or nothing. Throws what the signal says, or the file system. */
export async function copyDatabase(
  db: Pick<Db, 'sqlite'>,
  file: string,
  following: { readonly signal?: AbortSignal; readonly onProgress: (fraction: number) => void },
): Promise<void> {
  const partial = `${file}.part`
  try {
    // Nobody else reads it while it is written, nor has laid something (a link) where it is to be.
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
 * The same from a connection of one's own, while another process goes on writing: SQLite begins such a copy anew with each
 * of its writes, and would never end, so what is copied is held still for this connection. The others write on.
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
