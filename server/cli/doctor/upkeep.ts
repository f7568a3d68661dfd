/** Checks for problems of long-running appliances: clock, disk, leftover files, backups. */
import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/client.ts'
import { listCompanies } from '../../db/companies.ts'
import { companyBytes } from '../../db/retention.ts'
import { getSetting, LAST_BACKUP, VERIFIED_BACKUP } from '../../db/settings.ts'
import { homePaths } from '../../home.ts'
import { leftBehind } from '../../jobs/home-lock.ts'
import { logFolder } from '../../log-files.ts'
import { ok, reason, warning, type Check, failure } from './check.ts'
import { sealedIn } from '../../key-evidence.ts'
import { openSecret, prepareKey, whereKeyIs } from '../../secrets.ts'

const DAY = 86_400_000
/** Clocks are set by minutes; beyond that leases, schedules and retention go by a wrong time. */
const SKEW_MS = 5 * 60_000
const BACKUP_DAYS = 14
const NEARLY = 0.9

/** Magic numbers of statfs(2) on Linux. */
const NETWORK: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB',
  0x00c36400: 'Ceph',
  0x01021997: '9p',
  0x5346414f: 'AFS',
  0x65735546: 'FUSE',
}

/** SQLite's locks and shared memory do not work on every network file system. */
export function checkFileSystem(config: Config, typeOf = (path: string) => statfsSync(path).type): Check[] {
  if (process.platform !== 'linux' || !existsSync(config.home)) return []
  const name = NETWORK[typeOf(config.home)]
  return [
    name === undefined
      ? ok('file system', 'the home is on a disk of this machine')
      : warning(
          'file system',
          `the home is on ${name}`,
          'Keep the home on a local disk: the database may be damaged where locks or shared memory do not work.',
        ),
  ]
}

export function checkLeftBehind(config: Config): Check[] {
  const home = homePaths(config.home)
  if (!existsSync(home.lock)) return []
  const left = leftBehind(home)
  return left === null
    ? []
    : [
        warning(
          'lock',
          `the last appliance on this home (process ${left.pid}) ended without a word: killed, or the power went`,
          'Start it again: nothing has to be removed, and what it had begun is taken up.',
        ),
      ]
}

export function checkLogFolder(config: Config): Check[] {
  const folder = logFolder(config.home)
  if (config.operate.logFileBytes === 0)
    return [ok('log', 'no file of it is kept (CUTROOM_LOG_FILE_BYTES is 0)')]
  if (!existsSync(folder)) return []
  try {
    rmdirSync(mkdtempSync(`${folder}/.doctor-`))
    return [ok('log', folder)]
  } catch (error) {
    return [
      warning('log', `${folder} cannot be written: ${reason(error)}`, 'Give your user write access to it.'),
    ]
  }
}

/** Newest moment that anything was changed at, by the tables that every kind of work writes to; 0: never. */
const newestRow = (db: Db): number =>
  db.sqlite
    .prepare<[], number>(
      `select max(coalesce((select max(updated_at) from runs), 0),
                  coalesce((select max(updated_at) from operations), 0),
                  coalesce((select max(at) from audit_log), 0))`,
    )
    .pluck()
    .get() ?? 0

export function checkClock(db: Db, now: number): Check {
  const ahead = newestRow(db) - now
  return ahead <= SKEW_MS
    ? ok('clock', `${new Date(now).toISOString()}, after everything that was stored`)
    : warning(
        'clock',
        `${new Date(now).toISOString()} is ${Math.round(ahead / 60_000)} minutes before what was stored last`,
        'Set the clock (timedatectl set-ntp true): leases, schedules and retention go by it.',
      )
}

/** `to`: where backups are made by themselves; null: nowhere. */
export function checkBackups(db: Db, now: number, to: string | null): Check {
  const last = Number(getSetting(db, LAST_BACKUP) ?? 0)
  const mend =
    to === null
      ? 'Name a folder on another disk by CUTROOM_BACKUP_TO, or run `cutroom backup FILE` by a timer.'
      : 'The log says why; `cutroom backups run` makes one now.'
  const verified = Number(getSetting(db, VERIFIED_BACKUP) ?? 0)
  if (to !== null && now - verified > DAY)
    return warning('backup', `none at ${to} was made and read back for a day`, mend)
  if (last === 0) return warning('backup', 'the database was never backed up', mend)
  const days = Math.floor((now - last) / DAY)
  const found = days <= 0 ? 'made today' : `the newest is ${days} ${days === 1 ? 'day' : 'days'} old`
  return days > BACKUP_DAYS ? warning('backup', found, mend) : ok('backup', found)
}

export function checkQuota(db: Db, quotaBytes: number): Check[] {
  if (quotaBytes === 0) return []
  const full = listCompanies(db).filter(({ id }) => companyBytes(db, id) >= quotaBytes * NEARLY)
  return [
    full.length === 0
      ? ok('quota', 'every company is well below it')
      : warning(
          'quota',
          `nearly used up: ${full.map(({ id }) => id).join(', ')}`,
          'Have them clean up their library, or raise CUTROOM_COMPANY_QUOTA_BYTES.',
        ),
  ]
}

/** Reads the database; null when there is none or it cannot be read, which its own check reports. */
export async function checkUpkeep(config: Config, now: number): Promise<Check[]> {
  const file = homePaths(config.home).database
  if (!existsSync(file)) return []
  const { openToRead } = await import('../../db/client.ts')
  const db = openToRead(file)
  try {
    return [
      checkClock(db, now),
      checkBackups(db, now, config.backups.to),
      ...checkQuota(db, config.storage.companyQuotaBytes),
      ...checkSealed(db, config),
    ]
  } catch (error) {
    if (!/no such (table|column)/.test(reason(error))) throw error
    return [warning('upkeep', 'the database is of an earlier version', 'Start the appliance once.')]
  } finally {
    db.close()
  }
}

/**
 * Checks that sealed values in the database open with the key that is here: a database that was moved without its key
 * works, but nobody can publish. A key in the keychain is not read for this.
 */
export function checkSealed(db: Db, config: Config): Check[] {
  const home = homePaths(config.home)
  const stored = sealedIn(db.sqlite)
  const where = whereKeyIs(home, config)
  if (stored.length === 0 || (where !== null && !existsSync(where))) return []
  const again =
    'connect the accounts again (cutroom social connect), make the webhooks anew, and name the voices again'
  const mend = `Put the home's secret.key (or what CUTROOM_SECRET_KEY_FILE names) back from its backup. Where there is none, stop the appliance and run "cutroom secrets renew"; then ${again}.`
  if (where === null)
    return [
      failure(
        'sealed',
        `the key of ${stored.length} accounts, webhooks and named voices is not in the home`,
        mend,
      ),
    ]
  try {
    prepareKey(home, { secretKey: 'file', secretKeyFile: config.secretKeyFile })
    const shut = stored.filter(({ purpose, sealed }) => openSecret(home, purpose, sealed) === null).length
    if (shut === 0) return [ok('sealed', `${stored.length} accounts, webhooks and named voices open with it`)]
    const found = `${shut} of ${stored.length} accounts, webhooks and named voices are of another key`
    const others = `Keep the key, which the others need. Of those that it does not open, ${again}.`
    return [failure('sealed', found, shut < stored.length ? others : mend)]
  } catch (error) {
    return [failure('sealed', reason(error), mend)]
  }
}

export function checkSecrets(config: Config): Check {
  const where = whereKeyIs(homePaths(config.home), config)
  if (where === null)
    return ok(
      'secrets',
      'the home has no key of its own; one is made with the first secret that a home keeps',
    )
  if (!existsSync(where)) return ok('secrets', `sealed with a key in ${where}`)
  if (process.platform !== 'win32' && (statSync(where).mode & 0o077) !== 0)
    return warning('secrets', `other users may read the key in ${where}`, `chmod 600 "${where}"`)
  const fallback = config.secretKeyFile === null && config.secretKey === 'keychain'
  return fallback
    ? warning(
        'secrets',
        `sealed with the key file ${where}: the keychain was not usable at the last start`,
        'On Linux install libsecret-tools, and start in a session with an unlocked keyring.',
      )
    : ok('secrets', `sealed with the key file ${where}, readable by its owner only`)
}
