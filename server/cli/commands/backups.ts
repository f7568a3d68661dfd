/** Backups that are made by themselves: what there is, one now, and a rehearsal of restoring. */
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import { drillBackup } from '../../domain/backups/drill.ts'
import { beginBackups, makeBackup, openOwnVault } from '../../domain/backups/make-backup.ts'
import { isBucket } from '../../domain/backups/place.ts'
import { findSnapshot, openBackupsIn } from '../../domain/backups/restore-files.ts'
import { listSnapshots } from '../../domain/backups/snapshot.ts'
import type { Config } from '../../config/config.ts'
import { parseDate } from '../arguments.ts'
import { defineCommand, optional } from '../command.ts'
import { commandConfig, defineHomeCommand } from '../open-home.ts'
import { progressReporter, table } from '../terminal.ts'

/** Where the backups lie: as named, or as set. */
function placeOf(given: string | undefined, config: Config): string {
  if (given !== undefined) return isBucket(given) ? given : resolve(given)
  if (config.backups.to !== null) return config.backups.to
  throw new AppError('INVALID_REQUEST', 'Name the place of the backups, or set CUTROOM_BACKUP_TO.')
}

/** What can be restored. */
export const backupsList = defineCommand({
  summary: 'List the backups at the place that CUTROOM_BACKUP_TO names, the newest first',
  positionals: ['[PLACE]'],
  examples: { 'cutroom backups list': 'Verified ones were read back as they were made.' },
  run: async ({ options, positionals }) => {
    const config = commandConfig(options)
    const vault = await openBackupsIn(placeOf(positionals[0], config), config)
    const backups = (await listSnapshots(vault)).map(({ at, verified }) => ({
      moment: new Date(at).toISOString(),
      verified,
    }))
    return {
      json: { folder: vault.store.place, sealed: vault.sealed, backups },
      text: table([
        ['MOMENT', 'VERIFIED'],
        ...backups.map(({ moment, verified }) => [moment, verified ? 'yes' : 'no']),
      ]),
    }
  },
})

/** One backup now. */
export const backupsRun = defineHomeCommand({
  summary: 'Make a verified backup now, of database and files, also while the appliance runs',
  examples: { 'cutroom backups run': 'Only what is not there yet is copied; all of it is read back.' },
  run: async ({ services, terminal }) => {
    const vault = await openOwnVault(services)
    const progress = progressReporter(terminal)
    try {
      const { snapshot, written, rotten } = await makeBackup(services, vault, {
        verify: true,
        files: true,
        onProgress: (fraction, note) => progress.update(fraction, note),
      })
      const { moment, files } = snapshot
      return {
        json: { folder: vault.store.place, moment, files: files.count, bytes: files.bytes, written, rotten },
        failed: rotten.length > 0,
        text: [
          `The backup of ${moment} is at ${vault.store.place}: ${files.count} files of ${files.bytes} bytes, of which ${written} were new.`,
          ...rotten.map((path) => `${path} is damaged in the home: its content is not what its name says.`),
          ...(rotten.length === 0 ? [] : [mendOf(snapshot.verified)]),
        ],
      }
    } finally {
      progress.end()
    }
  },
})

/** What is done about damaged originals. `isWhole`: the backup has them as they were. */
const mendOf = (isWhole: boolean): string =>
  isWhole
    ? 'The backup has them as they were: stop the appliance, and put them back with cutroom restore PLACE.'
    : 'No backup has all of them as they were, so this one does not count as verified: bring these videos in again.'

/** Shows that a backup can be restored. */
export const backupsDrill = defineCommand({
  summary: 'Restore a backup into a home that is thrown away, and hold it against what was copied',
  positionals: ['[PLACE]'],
  options: {
    at: optional('TIME', 'the newest backup of this moment or before'),
    inside: optional('DIR', 'a folder with room for all of it; without it the folder for temporary files'),
  },
  examples: {
    'cutroom backups drill --inside /mnt/scratch':
      'Every file, every row, every address. Ends with code 1 where something is not as it was.',
  },
  run: async ({ options, positionals, terminal }) => {
    const config = commandConfig(options)
    const vault = await openBackupsIn(placeOf(positionals[0], config), config)
    const at = options.at === undefined ? Date.now() : parseDate('at', options.at)
    const snapshot = await findSnapshot(vault, at)
    const progress = progressReporter(terminal)
    let done = 0
    const onBytes = (bytes: number): void => {
      done += bytes
      const total = snapshot.files.bytes + snapshot.database.bytes
      progress.update(done / Math.max(1, total), 'Restoring into a home of its own')
    }
    const drilled = await drillBackup(vault, snapshot, resolve(options.inside ?? tmpdir()), {
      onBytes,
    }).finally(() => progress.end())
    const { moment, files, bytes, tables, faults } = drilled
    return {
      json: drilled,
      failed: faults.length > 0,
      text: [
        faults.length === 0
          ? `The backup of ${moment} can be restored: ${files} files of ${bytes} bytes and ${tables} tables are as they were.`
          : `The backup of ${moment} cannot be restored as it was:`,
        ...faults,
      ],
    }
  },
})

/** Begins backups at a place that has none, for a home whose backups were elsewhere. */
export const backupsBegin = defineHomeCommand({
  summary: 'Begin backups anew at the place that CUTROOM_BACKUP_TO names, which has none',
  examples: {
    'cutroom backups begin':
      'For another disk. Without it a folder without backups is taken for a disk that is not mounted.',
  },
  run: async ({ services }) => {
    const vault = await beginBackups(services)
    return {
      json: { folder: vault.store.place, sealed: vault.sealed },
      text: `Backups of this home are made at ${vault.store.place} from now on.`,
    }
  },
})
