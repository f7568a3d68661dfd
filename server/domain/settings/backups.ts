/** Backups that are made in the studio: copies of the database in the home's own folder, named by us. Restored by command. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, refuse } from '../../contract/errors.ts'
import type { AutomaticBackups, SettingsBackup, SettingsTask } from '../../contract/settings.ts'
import { openToRead } from '../../db/client.ts'
import { getSetting, LAST_BACKUP, setSetting, VERIFIED_BACKUP } from '../../db/settings.ts'
import { copyDatabase } from '../../db/put-back.ts'
import { freeBytes } from '../../../workers/media/disk.ts'
import type { Services } from '../services.ts'
import { startTask } from './tasks.ts'

type Deps = Pick<Services, 'config' | 'home' | 'db' | 'now' | 'log'>

const NAME = /^cutroom-\d{8}T\d{6}Z\.sqlite$/

/** Where copies of the database lie; made with the first one. */
export const backupsFolder = (services: Pick<Services, 'home'>): string => join(services.home.root, 'backups')

const nameAt = (time: number): string =>
  `cutroom-${new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.sqlite`

/** Null: none are made by themselves. */
export function describeAutomatic({ config, db }: Pick<Services, 'config' | 'db'>): AutomaticBackups | null {
  const { to, everySeconds, keyFile } = config.backups
  if (to === null) return null
  const moment = (key: string): string | null => {
    const at = getSetting(db, key)
    return at === null ? null : new Date(Number(at)).toISOString()
  }
  return {
    folder: to,
    sealed: keyFile !== null,
    everySeconds,
    madeAt: moment(LAST_BACKUP),
    verifiedAt: moment(VERIFIED_BACKUP),
  }
}

/** The newest first. */
export async function listBackups(services: Pick<Services, 'home'>): Promise<SettingsBackup[]> {
  const folder = backupsFolder(services)
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name))
  const found = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name))
      return { name, bytes: size, madeAt: new Date(mtimeMs).toISOString() }
    }),
  )
  return found.sort((a, b) => (a.name < b.name ? 1 : -1))
}

/** The file of a backup. Only files that the folder lists can be requested. Throws NOT_FOUND. */
export async function backupFile(
  services: Pick<Services, 'home'>,
  name: string,
): Promise<SettingsBackup & { path: string }> {
  const found =
    (await listBackups(services)).find((backup) => backup.name === name) ??
    refuse('NOT_FOUND', 'There is no such backup.')
  return { ...found, path: join(backupsFolder(services), found.name) }
}

/** Begins to copy the database. A copy that is not sound is not stored. DISK_FULL ends the task where there is no room. */
export function startBackup(services: Deps): SettingsTask {
  const { db, home, config } = services
  return startTask(services, {
    kind: 'backup',
    subject: 'database',
    work: async ({ signal, onProgress }) => {
      const folder = backupsFolder(services)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { size } = await stat(home.database)
      if ((await freeBytes(folder)) < size + config.minFreeBytes)
        throw new AppError('DISK_FULL', 'There is not enough free disk space for another backup.')
      const name = nameAt(services.now())
      const begun = services.now()
      // A connection of its own: the copy is of one moment, while this one goes on writing.
      const snapshot = openToRead(home.database)
      try {
        await copyDatabase(snapshot, join(folder, name), {
          signal,
          onProgress: (fraction) => onProgress(fraction, 'Copying and checking the database'),
        })
      } finally {
        snapshot.close()
      }
      setSetting(db, LAST_BACKUP, String(services.now()))
      setSetting(db, VERIFIED_BACKUP, String(begun))
      return name
    },
  })
}

/** Deletes a backup. NOT_FOUND. */
export async function deleteBackup(services: Pick<Services, 'home'>, name: string): Promise<void> {
  const { path } = await backupFile(services, name)
  await rm(path)
}
