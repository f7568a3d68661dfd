import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import { openAsItIs } from '../../db/client.ts'
import { copyBesideWriters, isDatabaseItself } from '../../db/copy-database.ts'
import { LAST_BACKUP, setSetting } from '../../db/settings.ts'
import { homePaths } from '../../home.ts'
import { defineCommand, EXIT } from '../command.ts'
import { commandConfig } from '../open-home.ts'
import { progressReporter } from '../progress.ts'

/** Copies the database while the appliance runs. */
export const backup = defineCommand({
  summary: 'Copy the database and media index to a file, also while the appliance runs',
  positionals: ['FILE'],
  options: { force: { type: 'boolean', description: 'replace FILE when it is there' } },
  examples: [
    {
      line: 'cutroom backup cutroom-monday.sqlite',
      does: 'Companies, keys (hashed), workflows, runs, clips and the index of media; not the media files themselves.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const file = resolve(positionals[0] ?? '')
    const { database } = homePaths(commandConfig(options).home)
    if (!existsSync(database)) {
      throw new AppError('INVALID_REQUEST', {
        message: `There is no database at ${database}: nothing to back up.`,
      })
    }
    if (isDatabaseItself(file, database))
      throw new AppError('INVALID_REQUEST', {
        message: `${file} is the database of this home; give the backup a name and a place of its own.`,
      })
    if (existsSync(file) && !options.force) {
      throw new AppError('INVALID_REQUEST', { message: `${file} is there already; --force replaces it.` })
    }
    // The copy is not upgraded: a copy made before an upgrade must open with the older version.
    const db = openAsItIs(database)
    const progress = progressReporter(terminal)
    try {
      await copyBesideWriters(db, file, {
        onProgress: (fraction) => progress.update(fraction, 'Copying the database'),
      })
      setSetting(db, LAST_BACKUP, String(Date.now()))
    } catch (cause) {
      throw new AppError('INVALID_REQUEST', {
        message: `${file} could not be written: ${(cause as Error).message}.`,
        cause,
      })
    } finally {
      progress.end()
      db.close()
    }
    const { size } = await stat(file)
    terminal.out(options.json ? JSON.stringify({ file, bytes: size }) : `Saved ${file} (${size} bytes).`)
    return EXIT.done
  },
})
