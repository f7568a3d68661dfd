/** Requests the counters of published posts that are due from the platforms, account by account. */
import { METRICS_AT_ONCE, type PostMetrics } from '../../adapters/social/adapter.ts'
import { reasonOf, retryAfterOf } from '../../adapters/social/failure.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import type { Platform } from '../../contract/post.ts'
import {
  listDueRefreshes,
  nextDueAccount,
  postponeAccount,
  updateRefresh,
  type DueRefresh,
} from '../../db/post-analytics.ts'
import { listPostAnalytics } from '../../db/posts.ts'
import { recordPostRefresh, recordSameCounters } from './published-posts.ts'
import type { Services } from '../services.ts'
import { withAccount } from '../publishing/accounts.ts'
import {
  GONE_AFTER,
  isNewRefresh,
  mergeMetrics,
  nextRefresh,
  pauseAfter,
  sanitizeCounters,
} from './refresh-rules.ts'
import { inTransaction } from '../../db/prepared.ts'

type Deps = Pick<Services, 'config' | 'db' | 'home' | 'log' | 'now'>

/** Counters of one account by native id. Posts that no longer exist are left out. */
export type ReadMetrics = (
  account: { companyId: string; accountId: string; platform: Platform },
  nativeIds: readonly string[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, PostMetrics>>

/** By the platform's adapter, in the account's name. */
export function adapterMetrics(services: Deps): ReadMetrics {
  return ({ companyId, accountId, platform }, nativeIds, signal) =>
    withAccount(services, { companyId, accountId, signal }, (call) =>
      ADAPTERS[platform].metrics(call, nativeIds),
    )
}

function storeMetrics(services: Deps, due: DueRefresh, reported: PostMetrics): void {
  const { db, now } = services
  const { postId, companyId, publishedAt } = due
  const platform = due.platform
  const [before] = listPostAnalytics(db, postId, 1)
  const counters = sanitizeCounters(platform, reported)
  const time = now()
  const platformMetrics = mergeMetrics(platform, time - publishedAt, {
    reported: { ...reported.platformMetrics },
    before: before?.platformMetrics ?? null,
  })
  const refresh = { companyId, postId, refreshedAt: time, ...counters, platformMetrics }
  if (before === undefined || isNewRefresh(platform, before, counters, time))
    recordPostRefresh(services, refresh)
  else recordSameCounters(services, before, refresh)
  const settled = { failures: 0, missing: 0, error: null, askedAt: time }
  updateRefresh(db, postId, { ...settled, nextAt: nextRefresh(publishedAt, time) })
}

function storeMissing({ db, now }: Deps, due: DueRefresh): void {
  const missing = due.missing + 1
  const gone = missing >= GONE_AFTER
  updateRefresh(db, due.postId, {
    missing,
    failures: 0,
    askedAt: now(),
    error: gone ? 'The platform does not know the post any more.' : 'The platform told nothing of the post.',
    nextAt: gone ? null : nextRefresh(due.publishedAt, now()),
  })
}

/** Refreshes posts of one account; returns how many. A failure is stored and never thrown. */
async function refreshAccount(
  services: Deps,
  account: { companyId: string; accountId: string },
  readMetrics: ReadMetrics,
  signal: AbortSignal,
): Promise<number> {
  const { db, log, now } = services
  const due = listDueRefreshes(db, account.accountId, now(), METRICS_AT_ONCE)
  const [first] = due
  if (first === undefined) return 0
  const platform = first.platform
  let metricsById: ReadonlyMap<string, PostMetrics>
  try {
    metricsById = await readMetrics(
      { ...account, platform },
      due.map(({ nativeId }) => nativeId),
      signal,
    )
  } catch (error) {
    if (signal.aborted) return 0
    const reason = reasonOf(error) ?? 'unknown'
    const failures = Math.max(...due.map((one) => one.failures)) + 1
    const message = (error as Error).message.slice(0, 300)
    const failed = due.map(({ postId }) => postId)
    const until = now() + pauseAfter(reason, failures, retryAfterOf(error))
    db.orm.transaction(() => postponeAccount(db, account.accountId, { until, failed, error: message }), {
      behavior: 'immediate',
    })
    log.warn('the counters of posts could not be read', {
      account: account.accountId,
      platform,
      reason,
      message,
    })
    return 0
  }
  inTransaction(db, () => {
    for (const one of due) {
      const metrics = metricsById.get(one.nativeId)
      if (metrics === undefined) storeMissing(services, one)
      else storeMetrics(services, one, metrics)
    }
  })
  return due.length
}

/** Refreshes the posts that are due, of at most `accounts` accounts; returns how many were refreshed. */
export async function refreshDuePosts(
  services: Deps,
  options: { readMetrics: ReadMetrics; signal: AbortSignal; accounts: number },
): Promise<number> {
  const { db, now } = services
  let refreshed = 0
  for (let turn = 0; turn < options.accounts && !options.signal.aborted; turn += 1) {
    const account = nextDueAccount(db, now())
    if (account === null) break
    refreshed += await refreshAccount(services, account, options.readMetrics, options.signal)
  }
  return refreshed
}
