import { existsSync } from 'node:fs'
import { copyFile, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../contract/errors.ts'
import { migrationsFolder, openDatabase } from '../../db/client.ts'
import { isDatabaseItself } from '../../db/copy-database.ts'
import { standingOf } from '../../db/upgrade.ts'
import { openHome, type Home } from '../../home.ts'
import { acquireHomeLock } from '../../jobs/home-lock.ts'
import { defineCommand, EXIT } from '../command.ts'
import { commandConfig } from '../open-home.ts'

/** Puts a backup in the database's place. */
export const restore = defineCommand({
  summary: 'Put a backup in place of the database; the appliance must be stopped',
  positionals: ['FILE'],
  options: {},
  examples: [
    {
      line: 'cutroom restore cutroom-monday.sqlite',
      does: 'The database that was there is kept beside the new one.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const file = resolve(positionals[0] ?? '')
    checkBackup(file)
    const home = openHome(commandConfig(options).home)
    if (isDatabaseItself(file, home.database))
      throw new AppError('INVALID_REQUEST', {
        message: `${file} is the database of this home already; give a backup of it.`,
      })
    const lock = acquireHomeLock(home, Date.now())
    try {
      const kept = await replaceDatabase(home, file)
      const missingMedia = countMissingMedia(home)
      if (options.json) terminal.out(JSON.stringify({ restored: file, kept, missingMedia }))
      else {
        terminal.out(`Restored ${file}.`)
        if (kept !== null) terminal.out(`What was there before is kept as ${kept}.`)
        if (missingMedia > 0) terminal.note(`${missingMedia} media files that it lists are not in this home.`)
      }
      return EXIT.done
    } finally {
      lock.release()
    }
  },
})

/** Sound, and ours. Throws INVALID_REQUEST. */
function checkBackup(file: string): void {
  const refuse = (why: string, cause?: unknown): never => {
    throw new AppError('INVALID_REQUEST', { message: `${file} cannot be restored: ${why}.`, cause })
  }
  if (!existsSync(file)) refuse('there is no such file')
  try {
    const sqlite = new Database(file, { readonly: true, fileMustExist: true })
    try {
      if (sqlite.pragma('integrity_check(1)', { simple: true }) !== 'ok') refuse('it is damaged')
      const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all()
      if (!['companies', 'clips', 'media'].every((name) => tables.includes(name)))
        refuse('it is no backup of Cutroom')
      if (standingOf(sqlite, migrationsFolder()) === 'newer') refuse('it is of a newer version of Cutroom')
    } finally {
      sqlite.close()
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    refuse('it is no database', error)
  }
}

async function replaceDatabase(home: Home, file: string): Promise<string | null> {
  const partial = `${home.database}.restoring`
  await copyFile(file, partial)
  const aside = `${home.database}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`
  const kept = existsSync(home.database) ? aside : null
  for (const part of ['', '-wal', '-shm']) {
    // Together, the log belongs to its file; unread, it may be damaged, which is why somebody restores.
    if (existsSync(`${home.database}${part}`)) await rename(`${home.database}${part}`, `${aside}${part}`)
  }
  await rename(partial, home.database)
  return kept
}

function countMissingMedia(home: Home): number {
  const db = openDatabase(home.database)
  try {
    const paths = db.sqlite.prepare<[], string>('select path from media').pluck().all()
    return paths.filter((path) => !existsSync(join(home.root, path))).length
  } finally {
    db.close()
  }
}
