/** The one composition root, headless and under the desktop shell; only the command line imports it. */
import type { Config } from './config/config.ts'
import { BUNDLED } from './config/settings.ts'
import { mediaTools } from './adapters/media-tools.ts'
import { createWebhookSender } from './adapters/webhook-sender.ts'
import type { AppError } from './contract/errors.ts'
import type { Db } from './db/client.ts'
import { firstStart } from './domain/first-start.ts'
import type { Services } from './domain/services.ts'
import { openMediaStore } from './domain/store/media-store.ts'
import { openWithCharge, type Succession } from './domain/standby/open-with-charge.ts'
import { issueSignInLink } from './domain/people/sign-in.ts'
import { openHome, type Home } from './home.ts'
import { omitUndefined } from './contract/omit-undefined.ts'
import { requireOwnDatabase } from './home-identity.ts'
import { requireSoundDatabase } from './db/soundness.ts'
import { startHttpServer } from './http/server.ts'
import {
  startAnalyticsLoop,
  startGoOnLoop,
  startLeftoversLoop,
  startPassageLoop,
  startRetentionLoop,
} from './jobs/maintenance.ts'
import { startBackupLoop } from './jobs/backup-loop.ts'
import { acquireHomeLock } from './jobs/home-lock.ts'
import { blockNetwork } from '../workers/block-network.ts'
import { startJobs } from './jobs/orchestrator.ts'
import { holdStandbyLease } from './jobs/standby-lease.ts'
import { startSocialLoop } from './jobs/social-loop.ts'
import { startWatchLoop } from './jobs/watch-loop.ts'
import { startWebhookLoop } from './jobs/webhook-loop.ts'
import { createLogger, teeLogger, type Logger } from './log.ts'
import { logFolder, openLogFiles } from './log-files.ts'
import { reachable } from './reachable.ts'
import { prepareKey } from './secrets.ts'

export interface Appliance {
  /** `http://127.0.0.1:4810` */
  readonly url: string
  /** A link that signs a browser in, once. */
  readonly studioUrl: string
  readonly pid: number
  readonly services: Services
  /** The API key of company `local`, on the first start of a home only; it is stored nowhere. */
  readonly firstKey: string | null
  /** Resolves with why it has to stop by itself, where it has to: another appliance took over. */
  readonly over: Promise<AppError>
  /** Stops taking work, finishes requests, lets go of leases, checkpoints. Within 10 seconds; safe to call twice. */
  stop(): Promise<void>
}

/** Requests are finished and work is let go side by side; the slower of the two gets this long, below 10 seconds. */
const STOP_STEP_MS = 7000
/** Of what is left of the 10 seconds then. */
const LAST_CHECKPOINT_MS = 300
const LAST_ROWS_MS = 2000

/**
 * Starts everything on the home. `succession`: of a standby that took over. Throws AppError HOME_IN_USE, HOME_DATABASE_LOST,
 * INVALID_CONFIGURATION, NOT_IN_CHARGE.
 */
export async function startAppliance(
  config: Config,
  given: Logger = createLogger(config.log),
  succession: Succession | null = null,
): Promise<Appliance> {
  if (config.network === 'off') blockNetwork()
  const home = openHome(config.home)
  const lock = acquireHomeLock(home, Date.now())
  // Undone in reverse order, when something fails on the way up as well as at the end.
  const undo: (() => void | Promise<void>)[] = [() => lock.release()]
  const { log, close } = loggerFor(config, home, given)
  let started = false
  undo.push(() => {
    // The last line that the log of the home can take.
    if (started) log.info('stopped')
    return close()
  })
  const stop = once(async () => {
    for (const step of undo.reverse()) await withinTime(step, log, STOP_STEP_MS + 500)
  })
  try {
    // Before anything is made that a home has once: a key, a database.
    requireOwnDatabase(home)
    requireSoundDatabase(home.database)
    const keyTrouble = prepareKey(home, config)
    if (keyTrouble !== null) log.warn(keyTrouble)
    // Who names an ffmpeg is told at once that it cannot be used, and gets no other in its place.
    if (config.ffmpeg !== null && config.ffmpeg !== BUNDLED) await mediaTools(config)
    const { db, charge } = await openWithCharge({ config, home, log, now: Date.now }, succession)
    undo.push(() => closeDatabase(db))
    if (charge !== undefined) {
      const lease = holdStandbyLease(config, charge.epoch, log)
      let isOver = false
      void charge.over.then(() => (isOver = true))
      undo.push(async () => {
        await charge.stop()
        await lease.stop(!isOver)
      })
    }
    const store = openMediaStore(config, home, log, charge)
    const deps = { config, home, log, db, now: Date.now, ...store, ...omitUndefined({ charge }) }
    const jobs = await startJobs(deps)
    const working: (() => Promise<void>)[] = [() => jobs.stop()]
    undo.push(async () => void (await Promise.all(working.map((part) => withinTime(part, log)))))
    const services: Services = { ...deps, jobs }
    const { key } = await firstStart(services)
    const social = startSocialLoop(services)
    working.push(() => social.stop())
    const webhooks = startWebhookLoop(services, createWebhookSender(reachable(config)))
    working.push(() => webhooks.stop())
    const analytics = startAnalyticsLoop(services)
    working.push(() => analytics.stop())
    const retention = startRetentionLoop(services)
    working.push(() => retention.stop())
    const leftovers = startLeftoversLoop(services)
    working.push(() => leftovers.stop())
    const backups = startBackupLoop(services)
    working.push(() => backups.stop())
    const passages = startPassageLoop(services)
    working.push(() => passages.stop())
    const waiting = startGoOnLoop(services)
    working.push(() => waiting.stop())
    const watch = startWatchLoop(services)
    working.push(() => watch.stop())
    const http = await startHttpServer(services)
    working.push(() => http.close())
    lock.publish(http.url)
    started = true
    const studioUrl = issueSignInLink(services, config.publicUrl ?? http.url)
    const over = charge?.over ?? new Promise<AppError>(() => undefined)
    return { url: http.url, studioUrl, pid: process.pid, services, firstKey: key, over, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Logs to a file in the home as well, unless that is switched off. */
function loggerFor(config: Config, home: Home, given: Logger): { log: Logger; close: () => Promise<void> } {
  const { logFileBytes: bytes, logFilesKept: kept } = config.operate
  if (bytes === 0) return { log: given, close: () => Promise.resolve() }
  const files = openLogFiles(logFolder(home.root), {
    bytes,
    kept,
    onTrouble: (error) => given.warn('the log file cannot be written to', { error }),
  })
  return { log: teeLogger(given, createLogger(config.log, files.write)), close: files.close }
}

/**
 * At shutdown, SQLite would wait for readers (a backup, an export) before it checkpoints, and the service manager would
 * kill the process meanwhile. A write-ahead log that is not emptied is read and emptied at the next start.
 */
function closeDatabase(db: Db): void {
  try {
    db.sqlite.pragma(`busy_timeout = ${LAST_CHECKPOINT_MS}`)
    db.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    // The last rows of the audit log may have to wait for a command that writes.
    db.sqlite.pragma(`busy_timeout = ${LAST_ROWS_MS}`)
    db.close()
  }
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => (done ??= act())
}

/** Runs each step of the shutdown even if an earlier one hangs. */
async function withinTime(
  step: () => void | Promise<void>,
  log: Logger,
  milliseconds = STOP_STEP_MS,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), milliseconds)
  })
  try {
    const outcome = await Promise.race([Promise.resolve(step()), limit])
    if (outcome === 'late') log.warn('a part of the appliance did not stop in time')
  } catch (error) {
    log.error('a part of the appliance did not stop cleanly', { error })
  } finally {
    clearTimeout(timer)
  }
}
