/** Checks for problems of long-running appliances: clock, disk, leftover files, backups. */
import { existsSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/client.ts'
import { listCompanies } from '../../db/companies.ts'
import { companyBytes } from '../../db/retention.ts'
import { getSetting, LAST_BACKUP } from '../../db/settings.ts'
import { homePaths } from '../../home.ts'
import { leftBehind } from '../../jobs/home-lock.ts'
import { logFolder } from '../../log-files.ts'
import { ok, reason, warning, type Check } from './check.ts'
import { checkSealed } from './secrets.ts'

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

export function checkBackups(db: Db, now: number): Check {
  const last = Number(getSetting(db, LAST_BACKUP) ?? 0)
  const mend = 'Run `cutroom backup FILE` by a timer, onto another disk.'
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
      checkBackups(db, now),
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
