/** PURE: when a post's counters are asked for again, and what an answer is worth. */
import type { Platform } from '../../contract/post.ts'
import type { Counters } from './engagement.ts'

const HOUR = 3_600_000
const DAY = 86_400_000

/** What is known of how platforms count. */
export interface PlatformCounting {
  /**
   * The platform's counters may stand still for so long though the post is watched: the same counters within it say that
   * nothing new is known, not that nothing grew.
   */
  readonly lagMs: number
  /** `none`: the platform tells no views of a post, they stay 0; `impressions`: what it tells instead. */
  readonly views: 'views' | 'impressions' | 'none'
  /** Metrics of its own are told for so many days after the post; null: for good. The four counters go on. */
  readonly detailDays: number | null
}

const counting = (
  views: PlatformCounting['views'],
  more: Partial<PlatformCounting> = {},
): PlatformCounting => ({ lagMs: 0, detailDays: null, ...more, views })

export const COUNTING: Readonly<Record<Platform, PlatformCounting>> = {
  youtube: counting('views', { lagMs: 48 * HOUR }),
  tiktok: counting('views', { lagMs: 24 * HOUR }),
  instagram: counting('views', { lagMs: 48 * HOUR }),
  facebook: counting('views', { lagMs: 24 * HOUR }),
  threads: counting('views'),
  snapchat: counting('views', { lagMs: 24 * HOUR }),
  twitter: counting('impressions', { detailDays: 30 }),
  linkedin: counting('impressions', { lagMs: 24 * HOUR }),
  bluesky: counting('none'),
}

const OFTEN_MS = 3 * DAY

/** Hourly for three days after publication, then every six hours. */
export function nextRefresh(publishedAt: number, now: number): number {
  return now + (now - publishedAt < OFTEN_MS ? HOUR : 6 * HOUR)
}

const same = (a: Counters, b: Counters): boolean =>
  a.views === b.views && a.likes === b.likes && a.comments === b.comments && a.shares === b.shares

/**
 * Whether an answer is a refresh of its own. Unchanged counters of a platform that lags are none while the lag lasts:
 * they would be told as no growth, of which nobody knows. `before`: the newest refresh that was kept.
 */
export function isNews(
  platform: Platform,
  before: (Counters & { readonly refreshedAt: number }) | null,
  answer: Counters,
  now: number,
): boolean {
  if (before === null || !same(before, answer)) return true
  return now - before.refreshedAt >= Math.max(COUNTING[platform].lagMs, 1)
}

/** Counters as they are kept: whole, never below 0, and no views where the platform tells none. */
export function soundCounters(platform: Platform, told: Counters): Counters {
  const whole = (count: number): number =>
    Number.isFinite(count) ? Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(count))) : 0
  return {
    views: COUNTING[platform].views === 'none' ? 0 : whole(told.views),
    likes: whole(told.likes),
    comments: whole(told.comments),
    shares: whole(told.shares),
  }
}

/** Metrics of its own that the platform stopped telling are kept from before, so that they do not vanish at day 30. */
export function keptMetrics(
  platform: Platform,
  ageMs: number,
  metrics: { readonly told: Record<string, unknown>; readonly before: Record<string, unknown> | null },
): Record<string, unknown> {
  const { detailDays } = COUNTING[platform]
  return detailDays !== null && ageMs >= detailDays * DAY
    ? { ...metrics.before, ...metrics.told }
    : metrics.told
}

export type RefreshFailure = 'auth' | 'rate_limited' | 'rejected' | 'transient' | 'unsupported' | 'unknown'

const FIRST_PAUSE_MS = 5 * 60_000
const MAX_PAUSE_MS = 6 * HOUR

/** How long an account is left alone after its `failures`-th failure in a row; `asked`: what the platform asks for. */
export function pauseAfter(reason: RefreshFailure, failures: number, asked: number | null): number {
  const growing = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, Math.max(0, failures - 1)))
  if (reason === 'rate_limited') return Math.min(DAY, Math.max(growing, asked ?? 0))
  return reason === 'transient' || reason === 'unknown' ? growing : MAX_PAUSE_MS
}

/** A post that a platform leaves out of so many answers in a row is gone. */
export const GONE_AFTER = 7
