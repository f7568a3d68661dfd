import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import type { Db } from '../../db/client.ts'
import { isDatabaseItself } from '../../db/copy-database.ts'
import { checkHead, putBack } from '../../db/put-back.ts'
import { resetAccess, sentencesOf } from '../../domain/access/after-restore.ts'
import { holdDoubtfulPosts } from '../../domain/publishing/hold-doubtful.ts'
import { giveToOwner, openHome, type Home } from '../../home.ts'
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
    checkHead(file)
    const home = openHome(commandConfig(options).home)
    if (isDatabaseItself(file, home.database))
      throw new AppError('INVALID_REQUEST', {
        message: `${file} is the database of this home already; give a backup of it.`,
      })
    const lock = acquireHomeLock(home, Date.now())
    try {
      let missingMedia = 0
      let heldPosts = 0
      let access: readonly string[] = []
      const kept = await putBack(file, home.database, (db) => {
        missingMedia = countMissingMedia(db, home)
        heldPosts = holdDoubtfulPosts(db, Date.now())
        access = sentencesOf(resetAccess(db, Date.now()))
      })
      if (options.json)
        terminal.out(JSON.stringify({ restored: file, home: home.root, kept, missingMedia, heldPosts }))
      else {
        terminal.out(`Restored ${file} to ${home.root}.`)
        if (kept === null)
          terminal.note(
            'There was no database before. If another home was meant, name it with --home; with the Debian package it is: sudo cutroom-service restore FILE',
          )
        else terminal.out(`What was there before is kept as ${kept}.`)
        if (missingMedia > 0) terminal.note(`${missingMedia} media files that it lists are not in this home.`)
        if (heldPosts > 0)
          terminal.note(
            `${heldPosts} posts were due since this backup and may be out already: they are kept back, as failed.`,
          )
        for (const sentence of access) terminal.note(sentence)
      }
      return EXIT.done
    } finally {
      lock.release()
      giveToOwner(home)
    }
  },
})

function countMissingMedia(db: Db, home: Home): number {
  const paths = db.sqlite.prepare<[], string>('select path from media').pluck().all()
  return paths.filter((path) => !existsSync(join(home.root, path))).length
}
