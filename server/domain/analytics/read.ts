/** What is known of posts' counters, for the domain API: lists, one post, sums, what grows. */
import {
  HISTORY_LENGTH,
  SUMMARY_DAYS,
  TRENDING_DAYS,
  type AnalyticsSummary,
  type AnalyticsTotals,
  type PostAnalyticsDetail,
  type PostAnalyticsItem,
  type PostAnalyticsQuery,
  type SummaryQuery,
  type TrendingQuery,
} from '../../contract/tenant-api/analytics.ts'
import { DEFAULT_PAGE } from '../../contract/tenant-api/envelope.ts'
import { AppError, invalidField, refuse } from '../../contract/errors.ts'
import {
  getRefresh,
  listTrending,
  sumPosts,
  type PlatformTotals,
  gainsByDay,
} from '../../db/post-analytics.ts'
import {
  getListedPost,
  listPostAnalytics,
  listPosts,
  positionLength,
  positionOf,
  type PostPosition,
  type PostRow,
} from '../../db/posts.ts'
import type { Caller } from '../access/authorise.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { parseMoment } from '../moments.ts'
import type { ClockServices } from '../services.ts'
import type { AnalyticsDay, AnalyticsDaysQuery } from '../../contract/studio.ts'

type Reader = Pick<Caller, 'companyId'>

const DAY = 86_400_000
const iso = (time: number): string => new Date(time).toISOString()
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time))

function present(row: PostRow): PostAnalyticsItem {
  const { id, clipId, text, postUrl, views, likes, comments, shares, engagementScore, growthRate } = row
  return {
    postId: id,
    clipId,
    text,
    postUrl,
    views,
    likes,
    comments,
    shares,
    engagementScore,
    growthRate,
    platform: row.platform,
    status: row.status,
    publishedAt: iso(row.publishedAt ?? row.createdAt),
    lastAnalyticsUpdate: isoOrNull(row.analyticsAt),
  }
}

function momentOf(query: { from?: string; to?: string }, field: 'from' | 'to'): number | null {
  const text = query[field]
  if (text === undefined) return null
  const moment = parseMoment(text, field === 'from' ? 'start' : 'end')
  if (moment !== null) return moment
  throw new AppError('VALIDATION_FAILED', {
    message: `"${field}" should be an ISO 8601 date or datetime.`,
    details: { field, expected: 'an ISO 8601 date or datetime' },
  })
}

/** Posts looked at for one page, when most of them are of other platforms. */
const LOOKED_AT = 500

/** Rows of a list from a position on, those of other platforms left out; one more than `limit` where there are more. */
function collect(
  { db }: ClockServices,
  list: {
    companyId: string
    sortBy: PostAnalyticsQuery['sortBy'] & string
    from: number | null
    to: number | null
  },
  picked: { platforms: readonly string[]; after: PostPosition | null; limit: number },
): PostRow[] {
  const rows: PostRow[] = []
  let { after } = picked
  for (;;) {
    const batch = listPosts(db, { ...list, after, limit: LOOKED_AT })
    const fits = batch.filter(
      ({ platform }) => picked.platforms.length === 0 || picked.platforms.includes(platform),
    )
    rows.push(...fits)
    const last = batch.at(-1)
    if (rows.length > picked.limit || batch.length < LOOKED_AT || last === undefined)
      return rows.slice(0, picked.limit + 1)
    after = positionOf(last, list.sortBy)
  }
}

/** GET /analytics/posts. Throws VALIDATION_FAILED, INVALID_CURSOR. */
export function listAnalytics(
  services: ClockServices,
  { companyId }: Reader,
  query: PostAnalyticsQuery,
): { posts: PostAnalyticsItem[]; nextCursor: string | null } {
  const { sortBy = 'date', limit = DEFAULT_PAGE, cursor } = query
  const platforms = [...new Set(query.platform ?? [])].sort()
  const from = momentOf(query, 'from')
  const to = momentOf(query, 'to')
  if (sortBy !== 'date' && (from !== null || to !== null))
    throw invalidField(from === null ? 'to' : 'from', '"from" and "to" go with sortBy=date.')
  const bound = { list: 'analytics', companyId, sortBy, platforms, from, to }
  const after = cursor === undefined ? null : decodeCursor(bound, cursor, positionLength(sortBy))
  const rows = collect(services, { companyId, sortBy, from, to }, { platforms, after, limit })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    posts: page.map(present),
    nextCursor: last === undefined ? null : encodeCursor(bound, positionOf(last, sortBy)),
  }
}

/** GET /analytics/posts/{postId}. Throws POST_NOT_FOUND. */
export function readAnalytics(
  { db }: ClockServices,
  { companyId }: Reader,
  postId: string,
): PostAnalyticsDetail {
  const row = getListedPost(db, companyId, postId) ?? refuse('POST_NOT_FOUND', { details: { postId } })
  const refreshes = listPostAnalytics(db, postId, HISTORY_LENGTH)
  const [latest] = refreshes
  const refresh = getRefresh(db, postId)
  return {
    ...present(row),
    platformMetrics: latest === undefined ? {} : { [row.platform]: latest.platformMetrics },
    history: refreshes
      .toReversed()
      .map(({ refreshedAt, views, likes, comments, shares, engagementScore }) => ({
        at: iso(refreshedAt),
        views,
        likes,
        comments,
        shares,
        engagementScore,
      })),
    nextRefreshAt: isoOrNull(refresh?.nextAt ?? null),
    refreshError: refresh?.error ?? null,
  }
}

const SUMS = ['posts', 'failed', 'views', 'likes', 'comments', 'shares', 'engagementScore'] as const

const pickSums = (row: AnalyticsTotals): AnalyticsTotals => {
  const { posts, failed, views, likes, comments, shares, engagementScore } = row
  return { posts, failed, views, likes, comments, shares, engagementScore }
}

const addUp = (rows: readonly PlatformTotals[]): AnalyticsTotals =>
  Object.fromEntries(
    SUMS.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]),
  ) as AnalyticsTotals

/** GET /analytics/summary. Throws VALIDATION_FAILED. */
export function summarise(
  services: ClockServices,
  { companyId }: Reader,
  query: SummaryQuery,
): AnalyticsSummary {
  const to = momentOf(query, 'to') ?? services.now()
  const from = momentOf(query, 'from') ?? to - SUMMARY_DAYS * DAY
  if (from > to) throw invalidField('from', '"from" should not be after "to".')
  const rows = sumPosts(services.db, { companyId, from, to })
  const before = sumPosts(services.db, { companyId, from: from - (to - from) - 1, to: from - 1 })
  const refreshed = rows.flatMap(({ refreshedAt }) => (refreshedAt === null ? [] : [refreshedAt]))
  return {
    from: iso(from),
    to: iso(to),
    totals: addUp(rows),
    previous: addUp(before),
    byPlatform: rows.map((row) => ({ platform: row.platform, ...pickSums(row) })),
    lastAnalyticsUpdate: refreshed.length === 0 ? null : iso(Math.max(...refreshed)),
  }
}

/** GET /analytics/trending-posts: what grows fastest of what was published lately. Throws INVALID_CURSOR. */
export function listTrendingPosts(
  services: ClockServices,
  { companyId }: Reader,
  query: TrendingQuery,
): { posts: PostAnalyticsItem[]; nextCursor: string | null } {
  const { db, now } = services
  const { limit = DEFAULT_PAGE, cursor, days = TRENDING_DAYS } = query
  const platforms = [...new Set(query.platform ?? [])].sort()
  const bound = { list: 'trending', companyId, platforms, days }
  // All pages use the window of the first one, so that nothing leaves it in between.
  const [since, ...after] = cursor === undefined ? [now() - days * DAY] : decodeCursor(bound, cursor, 4)
  const page = { companyId, since: Number(since), platforms }
  const ids = listTrending(db, { ...page, after: cursor === undefined ? null : after, limit: limit + 1 })
  const rows = ids.slice(0, limit).flatMap((id) => getListedPost(db, companyId, id) ?? [])
  const last = ids.length > limit ? rows.at(-1) : undefined
  const position =
    last === undefined ? [] : [page.since, last.growthRate ?? 0, last.publishedAt ?? 0, last.id]
  return { posts: rows.map(present), nextCursor: last === undefined ? null : encodeCursor(bound, position) }
}

/**
 * A company's gains over time: every day until today, also days without a refresh. What a post had at its first refresh
 * counts on that day.
 */
export function analyticsDays(
  { db, now }: ClockServices,
  query: Required<Pick<AnalyticsDaysQuery, 'companyId' | 'days'>> & { offset?: number },
): { days: AnalyticsDay[] } {
  const { companyId, days, offset = 0 } = query
  const shift = offset * 60_000
  const today = Math.floor((now() + shift) / DAY)
  const first = today - days + 1
  const window = { companyId, from: first * DAY - shift, to: (today + 1) * DAY - shift - 1, offset: shift }
  const found = new Map(gainsByDay(db, window).map((row) => [row.day, row]))
  return {
    days: Array.from({ length: days }, (_, index) => {
      const { views = 0, likes = 0, comments = 0, shares = 0 } = found.get(first + index) ?? {}
      const day = new Date((first + index) * DAY).toISOString().slice(0, 10)
      return { day, views, likes, comments, shares }
    }),
  }
}
