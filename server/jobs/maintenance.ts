/** Work that is repeated while the appliance runs: clean-ups, and refreshes of counters of posts. */
import { forgetGoneTranscripts, indexWaiting } from '../domain/search/index-passages.ts'
import { letWaitingRunsGoOn, type Wait } from '../domain/runs/waiting.ts'
import { sweepRetention } from '../domain/settings/retention.ts'
import type { Services } from '../domain/services.ts'
import { findDamageOnce } from '../db/full-check/client.ts'
import { anyOperationOpen } from '../db/retention.ts'
import { forgetCopiesOfClosedLinks } from '../db/share-copies.ts'
import { sweepExports } from '../domain/rendering/clip-exports.ts'
import { sweepUploads } from '../domain/library/uploads.ts'
import { sweepBlobs } from '../domain/worker-nodes/worker-blobs.ts'
import { MAX_HOLD_MS } from './remote/protocol.ts'
import { adapterMetrics, refreshDuePosts } from '../domain/analytics/refresh.ts'
import { renewLasting } from '../domain/publishing/accounts.ts'

export interface Repeated {
  /** Aborts the work in progress; resolves when it has ended. */
  readonly stop: () => Promise<void>
}

interface Repeat {
  readonly everyMs: number
  /** Looks whether there is anything to do, and does it. */
  readonly work: (signal: AbortSignal) => Promise<void>
  /** Called with the error of a failed round; the next round follows. Not called for a round that `stop` ended. */
  readonly failed: (error: unknown) => void
}

/** Does the work each so many milliseconds, never twice at once; the process may end in between. */
export function repeat({ everyMs, work, failed }: Repeat): Repeated {
  const stopped = new AbortController()
  let going: Promise<void> | null = null
  const turn = async (): Promise<void> => {
    try {
      await work(stopped.signal)
    } catch (error) {
      if (!stopped.signal.aborted) failed(error)
    }
  }
  const timer = setInterval(() => {
    // Assigned first: a turn may fail before its promise is returned.
    going ??= turn().finally(() => {
      going = null
    })
  }, everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      stopped.abort()
      await going
    },
  }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Whether anything may be removed by itself: not until all of the database was read in this start, and found sound. */
async function mayRemove({ db, log }: Services, signal: AbortSignal): Promise<boolean> {
  const damage = await findDamageOnce(db, signal)
  if (damage === null) return true
  log.error(
    'the database is damaged; nothing is removed. Stop, and put back a backup: cutroom restore FILE',
    {
      damage,
    },
  )
  return false
}

/** Removes what was stored long enough, in a pause between work: some minutes after a start, then every six hours. */
export function startRetentionLoop(
  services: Services,
  { lookMs = MINUTE, firstMs = 5 * MINUTE } = {},
): Repeated {
  const { db, log, now } = services
  let due = now() + firstMs
  return repeat({
    everyMs: lookMs,
    work: async (signal) => {
      if (now() < due || anyOperationOpen(db)) return
      if (!(await mayRemove(services, signal))) {
        due = now() + 6 * HOUR
        return
      }
      try {
        await sweepRetention(services, { signal })
      } finally {
        due = now() + 6 * HOUR
      }
    },
    failed: (error) => log.error('what was kept long enough could not be removed', { error }),
  })
}

/** Removes unused uploads, files of nodes, old exports and copies of closed share links, hourly; at first also what a dead process was receiving. */
export function startLeftoversLoop(services: Services, { lookMs = MINUTE } = {}): Repeated {
  const { log, now } = services
  let swept = -Infinity
  return repeat({
    everyMs: lookMs,
    work: async (signal) => {
      const since = now() - swept
      // A clock that was set back must not delay the sweep until it has caught up.
      if (since >= 0 && since < HOUR) return
      const leftOver = swept === -Infinity
      swept = now()
      if (!(await mayRemove(services, signal))) return
      const uploads = await sweepUploads(services, { leftOver, signal })
      forgetCopiesOfClosedLinks(services.db, now())
      const exports = await sweepExports(services, signal)
      const blobs = await sweepBlobs(services, { untouchedMs: MAX_HOLD_MS, signal })
      if (uploads + blobs + exports > 0) log.info('leftovers were removed', { uploads, blobs, exports })
      await services.store?.flushRemovals()
    },
    failed: (error) => log.warn('leftovers could not be removed', { error }),
  })
}

/** Indexes transcripts for search, and removes of it what has lost its transcript: after a start, then every six hours. */
export function startPassageLoop(services: Services, { everyMs = 10_000 } = {}): Repeated {
  const { log, now } = services
  let due = now()
  return repeat({
    everyMs,
    work: async (signal) => {
      if (now() >= due) {
        due = now() + 6 * HOUR
        const removed = await forgetGoneTranscripts(services, signal)
        if (removed > 0) log.info('transcripts that are gone are searched no more', { runs: removed })
      }
      await indexWaiting(services, signal)
    },
    failed: (error) => log.error('transcripts could not be indexed for search', { error }),
  })
}

/** Lets runs go on that wait for disk, model, source, network or store, once that is there again. */
export function startGoOnLoop(services: Services, { everyMs = 10_000 } = {}): Repeated {
  const waits = new Map<string, Wait>()
  return repeat({
    everyMs,
    work: async () => void (await letWaitingRunsGoOn(services, waits)),
    failed: (error) => services.log.error('runs that wait could not be looked through', { error }),
  })
}

const ACCOUNTS_AT_ONCE = 20

/** Refreshes counters of posts and tokens of unused accounts; with the network off nothing is called. */
export function startAnalyticsLoop(services: Services): Repeated {
  if (services.config.network === 'off') return { stop: () => Promise.resolve() }
  const renewals = repeat({
    everyMs: 15 * MINUTE,
    work: (signal) => renewLasting(services, signal),
    failed: (error) => services.log.error('accounts could not be looked through', { error }),
  })
  const counters = repeat({
    everyMs: MINUTE,
    work: async (signal) => {
      await refreshDuePosts(services, {
        readMetrics: adapterMetrics(services),
        signal,
        accounts: ACCOUNTS_AT_ONCE,
      })
    },
    failed: (error) => services.log.error('counters could not be refreshed', { error }),
  })
  return { stop: async () => void (await Promise.all([renewals.stop(), counters.stop()])) }
}
