/** Commands that look after the home: backups, lost keys, what is stored for how long. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import { openAsItIs } from '../../db/client.ts'
import { copyDatabase, isDatabaseItself } from '../../db/put-back.ts'
import { LAST_BACKUP, setSetting, VERIFIED_BACKUP } from '../../db/settings.ts'
import { anyOperationOpen } from '../../db/retention.ts'
import { planRetention, sweepRetention } from '../../domain/settings/retention.ts'
import { giveToOwner, homePaths, openHome } from '../../home.ts'
import { adoptFootage, openOwnDatabase, requireOwnDatabase } from '../../home-identity.ts'
import { acquireHomeLock } from '../../jobs/home-lock.ts'
import { sealedIn } from '../../key-evidence.ts'
import { openSecret, renewKey, useKey } from '../../secrets.ts'
import { defineCommand, flag } from '../command.ts'
import { commandConfig, withServices, defineHomeCommand } from '../open-home.ts'
import { progressReporter, table } from '../terminal.ts'

/** Copies the database while the appliance runs. */
export const backup = defineCommand({
  summary: 'Copy the database and media index to a file, also while the appliance runs',
  positionals: ['FILE'],
  options: { force: flag('replace FILE when it is there') },
  examples: {
    'cutroom backup cutroom-monday.sqlite':
      'Companies, keys (hashed), workflows, runs, clips and the index of media; not the media files themselves.',
  },
  run: async ({ options, positionals, terminal }) => {
    const file = resolve(positionals[0] ?? '')
    const home = homePaths(commandConfig(options).home)
    const { database } = home
    if (!existsSync(database))
      throw new AppError('INVALID_REQUEST', `There is no database at ${database}: nothing to back up.`)
    if (isDatabaseItself(file, database))
      throw new AppError('INVALID_REQUEST', {
        message: `${file} is the database of this home; give the backup a name and a place of its own.`,
      })
    if (existsSync(file) && !options.force)
      throw new AppError('INVALID_REQUEST', `${file} is there already; --force replaces it.`)
    // Whatever is not the home's own must not come where its backups are.
    requireOwnDatabase(home)
    // The copy is not upgraded: a copy made before an upgrade must open with the older version.
    const db = openAsItIs(database)
    const progress = progressReporter(terminal)
    const begun = Date.now()
    try {
      await copyDatabase(db, file, {
        onProgress: (fraction) => progress.update(fraction, 'Copying and checking the database'),
      })
      setSetting(db, LAST_BACKUP, String(Date.now()))
      setSetting(db, VERIFIED_BACKUP, String(begun))
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      throw new AppError('INVALID_REQUEST', {
        message: `${file} could not be written: ${(cause as Error).message}.`,
        cause,
      })
    } finally {
      progress.end()
      db.close()
    }
    const { size } = await stat(file)
    return { json: { file, bytes: size }, text: `Saved ${file} (${size} bytes).` }
  },
})

/** Begins anew beside footage, on purpose. */
export const homeAdopt = defineCommand({
  summary:
    'Take the footage in the home with a database that is new or of another home; the appliance must be stopped',
  examples: {
    'cutroom home adopt':
      'After the database was lost and there is no backup. No file is removed, but runs, clips and companies of the lost database are gone.',
  },
  run: ({ options }) => {
    const home = openHome(commandConfig(options).home)
    const lock = acquireHomeLock(home, Date.now())
    try {
      const { taken, kept } = adoptFootage(home, Date.now())
      const json = { home: home.root, taken, kept }
      if (!taken) return { json, text: `Database and footage of ${home.root} belong together already.` }
      return {
        json,
        text: [
          `The footage in ${home.root} is beside this database now; the appliance can be started.`,
          'Nothing was removed, and nothing of it is listed: companies, runs and clips that this database does not know stay unknown. A video that comes in again is recognised. What is unknown is never removed by itself: delete by hand what is not wanted.',
        ],
        notes: kept === null ? [] : [`What was left of the former database is kept as ${kept}.`],
      }
    } finally {
      lock.release()
      giveToOwner(home)
    }
  },
})

/** Continues without a lost encryption key. */
export const secretsRenew = defineCommand({
  summary: 'Go on with the key that is here, or a new one, where the key of the secrets is lost',
  examples: {
    'cutroom secrets renew':
      'What was sealed with the lost key stays shut: accounts are connected and webhooks made anew, voices named again. The appliance must be stopped.',
  },
  run: ({ options }) => {
    const config = commandConfig(options)
    const home = openHome(config.home)
    requireOwnDatabase(home)
    useKey(home, config)
    const lock = acquireHomeLock(home, Date.now())
    try {
      const db = openOwnDatabase(home)
      try {
        const { made } = renewKey(home, db)
        const shut = sealedIn(db.sqlite)
          .filter(({ purpose, sealed }) => openSecret(home, purpose, sealed) === null)
          .map(({ purpose }) => purpose)
        const notes = shut.map((purpose) => {
          const name = purpose.replace(/^social-account:/, 'account:').replace(':', ' ')
          return `${name} does not open with it.`
        })
        if (shut.length > 0)
          notes.push(
            'Connect these accounts again (cutroom social connect), make these webhooks anew, forget these voices (cutroom voice forget), and enter the client secret of the sign-in provider again (in the studio).',
          )
        return {
          json: { made, shut },
          text: made ? 'A new key was made.' : 'The home goes by the key that is here.',
          notes,
        }
      } finally {
        db.close()
      }
    } finally {
      lock.release()
    }
  },
})

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** What `storage clean` would remove. */
export const storagePlan = defineHomeCommand({
  summary: 'Show what was kept long enough and would go, and what each company keeps; nothing is touched',
  examples: {
    'cutroom storage plan':
      'By kind, as CUTROOM_KEEP_SOURCES_DAYS, CUTROOM_KEEP_RESULTS_DAYS and CUTROOM_KEEP_UPLOADS_DAYS say.',
  },
  run: async ({ services }) => {
    const plan = await planRetention(services)
    const kinds = plan.items.map(({ label, days, files, bytes }) => [
      label,
      days === null ? 'for good' : `${days} days`,
      ...(days === null ? ['-', '-'] : [String(files), megabytes(bytes)]),
    ])
    const companies = plan.companies.map(({ id, bytes, quotaBytes }) => [
      id,
      megabytes(bytes),
      quotaBytes === null ? '-' : megabytes(quotaBytes),
    ])
    return {
      json: plan,
      text: [
        ...table([['WHAT', 'KEPT', 'FILES', 'SIZE'], ...kinds]),
        ...table([['COMPANY', 'KEEPS', 'MAY KEEP'], ...companies]),
      ],
    }
  },
})

/** Deletes what has passed its retention time. */
export const storageClean = defineCommand({
  summary: 'Remove what was kept long enough now, also while the appliance runs; `storage plan` shows it',
  examples: { 'cutroom storage clean': 'What clips, libraries, posts and addresses need always stays.' },
  run: async ({ options, terminal }) => {
    const progress = progressReporter(terminal)
    const swept = await withServices(options, (services) => {
      if (anyOperationOpen(services.db))
        throw new AppError('INVALID_STATE', 'Runs or renders are going on. Clean when they have ended.')
      return sweepRetention(services, { onProgress: (note) => progress.update(0, note) })
    }).finally(() => progress.end())
    const { files, bytes } = swept
    return { json: swept, text: `${files} ${files === 1 ? 'file' : 'files'} removed, ${megabytes(bytes)}.` }
  },
})
