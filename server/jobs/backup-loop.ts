/** Backups by themselves: of what was changed, each minute or so; files every ten, and hourly one that is read back. */
import { openToRead } from '../db/client.ts'
import { makeBackup, openOwnVault } from '../domain/backups/make-backup.ts'
import { pruneBackups } from '../domain/backups/prune-backups.ts'
import type { Vault } from '../domain/backups/vault.ts'
import type { Services } from '../domain/services.ts'
import { repeat, type Repeated } from './maintenance.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** A large database is copied less often, so that copying stays a small part of the time. */
const SHARE = 20

export interface BackupTimes {
  readonly filesMs?: number
  readonly verifyMs?: number
}

/** With `CUTROOM_BACKUP_TO` only. What goes wrong is logged once, and once more when it works again; it goes on by itself. */
export function startBackupLoop(
  services: Services,
  { filesMs = 10 * MINUTE, verifyMs = HOUR }: BackupTimes = {},
): Repeated {
  const { config, home, log, now } = services
  const { to, everySeconds } = config.backups
  if (to === null) return { stop: () => Promise.resolve() }
  const reader = openToRead(home.database)
  const changes = (): number => reader.sqlite.pragma('data_version', { simple: true }) as number
  let vault: Vault | null = null
  let seen = -1
  let due = 0
  let filesDue = 0
  let verifyDue = 0
  let failing = false
  const loop = repeat({
    everyMs: Math.min(everySeconds * 1000, 10_000),
    work: async (signal) => {
      const begun = now()
      const version = changes()
      if (begun < due || (version === seen && begun < verifyDue)) return
      vault ??= await openOwnVault(services)
      const verify = begun >= verifyDue
      const files = verify || begun >= filesDue
      const { written, rotten } = await makeBackup(services, vault, { verify, files, signal })
      seen = changes()
      if (verify && rotten.length > 0)
        log.error('originals in the home are damaged: their content is not what their names say', { rotten })
      const took = now() - begun
      due = begun + Math.max(everySeconds * 1000, SHARE * took)
      if (files) filesDue = begun + filesMs
      if (verify) {
        verifyDue = begun + verifyMs
        const { snapshots, pieces } = await pruneBackups(vault, begun, signal)
        log.info('a backup was made and read back', { written, took, removed: snapshots, pieces })
      }
      if (failing) log.info('backups are made again')
      failing = false
    },
    failed: (error) => {
      vault = null
      due = now() + everySeconds * 1000
      if (!failing) log.error('no backup could be made; it is tried again', { error, to })
      failing = true
    },
  })
  return {
    stop: async () => {
      await loop.stop()
      reader.close()
    },
  }
}
