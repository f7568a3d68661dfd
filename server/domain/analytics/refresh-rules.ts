/** PURE: when a post's counters are requested again, and whether a response counts as a refresh. */
import type { Platform } from '../../contract/post.ts'

const HOUR = 3_600_000
const DAY = 86_400_000

/** How platforms count. */
export interface PlatformCounting {
  /**
   * The platform may report unchanged counters for this long although the post is being watched. Within it, equal counters
   * mean that no newer ones are known, not that there was no growth.
   */
  readonly lagMs: number
  /** `none`: the platform reports no views, they stay 0; `impressions`: it reports those instead. */
  readonly views: 'views' | 'impressions' | 'none'
  /** For how many days after the post the platform reports its own metrics; null: without end. The four counters continue. */
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
 * Whether a response counts as a refresh. Unchanged counters of a platform with a lag do not while the lag lasts: they
 * would be shown as no growth, which is not known. `before`: the newest stored refresh.
 */
export function isNewRefresh(
  platform: Platform,
  before: (Counters & { refreshedAt: number }) | null,
  answer: Counters,
  now: number,
): boolean {
  if (before === null || !same(before, answer)) return true
  return now - before.refreshedAt >= Math.max(COUNTING[platform].lagMs, 1)
}

/** Counters as they are stored: whole numbers of at least 0, and no views where the platform reports none. */
export function sanitizeCounters(platform: Platform, reported: Counters): Counters {
  const whole = (count: number): number =>
    Number.isFinite(count) ? Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(count))) : 0
  return {
    views: COUNTING[platform].views === 'none' ? 0 : whole(reported.views),
    likes: whole(reported.likes),
    comments: whole(reported.comments),
    shares: whole(reported.shares),
  }
}

/** Adds earlier platform metrics that the platform no longer reports, so that they do not vanish after some weeks. */
export function mergeMetrics(
  platform: Platform,
  ageMs: number,
  metrics: { reported: Record<string, unknown>; before: Record<string, unknown> | null },
): Record<string, unknown> {
  const { detailDays } = COUNTING[platform]
  return detailDays !== null && ageMs >= detailDays * DAY
    ? { ...metrics.before, ...metrics.reported }
    : metrics.reported
}

export type RefreshFailure = 'auth' | 'rate_limited' | 'rejected' | 'transient' | 'unsupported' | 'unknown'

const FIRST_PAUSE_MS = 5 * 60_000
const MAX_PAUSE_MS = 6 * HOUR

/**
 * How long an account is not requested after its `failures`-th failure in a row; `requestedMs`: the pause that the platform
 * requests.
 */
export function pauseAfter(reason: RefreshFailure, failures: number, requestedMs: number | null): number {
  const growing = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, Math.max(0, failures - 1)))
  if (reason === 'rate_limited') return Math.min(DAY, Math.max(growing, requestedMs ?? 0))
  return reason === 'transient' || reason === 'unknown' ? growing : MAX_PAUSE_MS
}

/** A post that is missing in so many answers in a row no longer exists. */
export const GONE_AFTER = 7

/** PURE: how posts are ranked. */

export interface Counters {
  readonly views: number
  readonly likes: number
  readonly comments: number
  readonly shares: number
}

/** For relative ranking; it has no unit. Never below 5. */
export function engagementScore({ views, likes, comments, shares }: Counters): number {
  return likes * 2 + comments * 3 + shares * 4 + Math.max(5, views / 100)
}

/** Percent by which the score grew from the refresh before; null when there was none. */
export function growthRate(latest: number, before: number | undefined): number | null {
  return before === undefined || before <= 0 ? null : ((latest - before) / before) * 100
}
