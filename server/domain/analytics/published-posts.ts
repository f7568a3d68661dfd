/** Posts that were published, and their counters. */
import { AppError, refuse } from '../../contract/errors.ts'
import type {
  AnalyticsRollup,
  ListedPost,
  Post,
  PostAnalyticsResponse,
  PostsQuery,
  PostsResponse,
} from '../../contract/post.ts'
import {
  getListedPost,
  listPostAnalytics,
  listPosts as findPosts,
  listPostsOfClip,
  positionLength,
  positionOf,
  savePostAnalytics,
  savePostRefresh,
  savePostRollup,
  type PostAnalyticsRow,
  type PostRow,
} from '../../db/posts.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { engagementScore, growthRate, type Counters } from './refresh-rules.ts'
import { parseMoment } from '../moments.ts'
import { mediaAddresses, storedMediaId } from '../rendering/register-media.ts'
import type { ClockServices, DbServices } from '../services.ts'
import { inTransaction } from '../../db/prepared.ts'

const DEFAULT_LIMIT = 25

const iso = (time: number): string => new Date(time).toISOString()

function scoreOf(row: PostRow) {
  return {
    ...(row.engagementScore === null ? {} : { engagementScore: row.engagementScore }),
    ...(row.growthRate === null ? {} : { growthRate: row.growthRate }),
    ...(row.analyticsAt === null ? {} : { lastAnalyticsUpdate: iso(row.analyticsAt) }),
  }
}

function rollupOf(row: PostRow): AnalyticsRollup {
  const { views, likes, comments, shares } = row
  return { views, likes, comments, shares, ...scoreOf(row) }
}

type StoredAddress = (stored: string | null) => string | null

/**
 * Media of this appliance is stored as a path; its address begins like the request's, and there is none once its clip was
 * deleted. Rows of earlier versions and imported ones hold whole addresses, which are returned unchanged.
 */
function storedAddresses(services: DbServices, baseUrl: string, rows: readonly PostRow[]): StoredAddress {
  const ids = rows.flatMap((row) => [storedMediaId(row.mediaUrl), storedMediaId(row.thumbnailUrl)])
  const addressOf = mediaAddresses(services, baseUrl, ids)
  return (stored) => {
    const id = storedMediaId(stored)
    return id === null ? stored : (addressOf(id) ?? null)
  }
}

function presentPost(row: PostRow, addressOf: StoredAddress): Post {
  const { id, text, postUrl, nativeId, clipId, status } = row
  return {
    id,
    platform: row.platform,
    text,
    postUrl,
    nativeId,
    clipId,
    status,
    mediaUrl: addressOf(row.mediaUrl),
    thumbnailUrl: addressOf(row.thumbnailUrl),
    createdAt: iso(row.publishedAt ?? row.createdAt),
    ...scoreOf(row),
  }
}

function listed(
  services: DbServices,
  rows: readonly PostRow[],
  { platform }: Pick<PostsQuery, 'platform'>,
  baseUrl: string,
): ListedPost[] {
  const shown = rows.filter((row) => platform === undefined || row.platform === platform)
  const addressOf = storedAddresses(services, baseUrl, shown)
  return shown.map((row) => ({ ...presentPost(row, addressOf), analytics: rollupOf(row) }))
}

function boundOf(query: PostsQuery, field: 'startDate' | 'endDate'): number | null {
  const text = query[field]
  if (text === undefined) return null
  if (query.clipId === undefined && (query.sortBy ?? 'date') !== 'date')
    throw new AppError('INVALID_REQUEST', {
      message: `"${field}" is valid only with sortBy=date.`,
      details: { field, expected: 'left out unless sortBy is "date"' },
    })
  return (
    parseMoment(text, field === 'startDate' ? 'start' : 'end') ??
    refuse('INVALID_REQUEST', {
      message: `"${field}" should be an ISO-8601 date or datetime.`,
      details: { field, expected: 'an ISO-8601 date or datetime' },
    })
  )
}

/**
 * One page, or with `clipId` everything made from that clip. The platform is picked out of each page, so a page may be
 * short: `cursor` is null only at the end. `baseUrl` (no slash at its end) is that of media addresses. Throws
 * INVALID_REQUEST and INVALID_CURSOR.
 */
export function listPosts(services: DbServices, query: PostsQuery, baseUrl: string): PostsResponse {
  const { companyId, clipId, platform, sortBy = 'date', limit = DEFAULT_LIMIT, cursor = '' } = query
  const from = boundOf(query, 'startDate')
  const to = boundOf(query, 'endDate')
  if (clipId !== undefined) {
    const rows = listPostsOfClip(services.db, { companyId, clipId, from, to })
    return { posts: listed(services, rows, query, baseUrl), cursor: null }
  }
  const bound = { list: 'posts', companyId, platform, sortBy, from, to }
  const after = cursor === '' ? null : decodeCursor(bound, cursor, positionLength(sortBy))
  // One more row than the page size shows whether there is a next page.
  const rows = findPosts(services.db, { companyId, sortBy, from, to, after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    posts: listed(services, page, query, baseUrl),
    cursor: last === undefined ? null : encodeCursor(bound, positionOf(last, sortBy)),
  }
}

/** One post with its counters and the platform's own metrics of the latest refresh. Throws POST_NOT_FOUND. */
export function getPostAnalytics(
  services: DbServices,
  input: { companyId: string; postId: string },
  baseUrl: string,
): PostAnalyticsResponse {
  const row =
    getListedPost(services.db, input.companyId, input.postId) ??
    refuse('POST_NOT_FOUND', { details: { postId: input.postId } })
  const [latest] = listPostAnalytics(services.db, row.id, 1)
  const platformMetrics = latest === undefined ? {} : { [row.platform]: latest.platformMetrics }
  const post = presentPost(row, storedAddresses(services, baseUrl, [row]))
  return { post, analytics: { ...rollupOf(row), platformMetrics } }
}

export interface PostRefresh extends Counters {
  readonly companyId: string
  readonly postId: string
  /** Epoch milliseconds. */
  readonly refreshedAt: number
  readonly platformMetrics: Record<string, unknown>
}

/** Stores a response of a platform; the post's counters are those of the newest refresh, whichever was stored last. */
export function recordPostRefresh(services: ClockServices, refresh: PostRefresh): void {
  const { db } = services
  const { companyId, postId, refreshedAt, platformMetrics, views, likes, comments, shares } = refresh
  inTransaction(db, () => {
    const row = getListedPost(db, companyId, postId) ?? refuse('POST_NOT_FOUND', { details: { postId } })
    const counters = { views, likes, comments, shares }
    const score = engagementScore(counters)
    savePostAnalytics(db, { postId, refreshedAt, ...counters, engagementScore: score, platformMetrics })
    const [latest, before] = listPostAnalytics(db, postId, 2)
    if (latest === undefined) return
    savePostRollup(
      db,
      { id: postId, companyId },
      {
        views: latest.views,
        likes: latest.likes,
        comments: latest.comments,
        shares: latest.shares,
        engagementScore: latest.engagementScore,
        growthRate: growthRate(latest.engagementScore, before?.engagementScore),
        // A later request may have returned the same counters.
        analyticsAt: Math.max(latest.refreshedAt, row.analyticsAt ?? 0),
        updatedAt: services.now(),
      },
    )
  })
}

/**
 * Stores an answer with unchanged counters: the platform's own metrics are updated; the refresh that brought the
 * counters, score and growth stay. To be called in the caller's transaction.
 */
export function recordSameCounters(
  { db }: DbServices,
  known: PostAnalyticsRow,
  latest: Pick<PostRefresh, 'refreshedAt' | 'platformMetrics'>,
): void {
  savePostAnalytics(db, { ...known, platformMetrics: latest.platformMetrics })
  savePostRefresh(db, known.postId, latest.refreshedAt)
}
