/** Queries over the counters of many posts: sums, and what grows. Lists by date and counter are in posts.ts. */
import { eq } from 'drizzle-orm'
import type { Db } from './client.ts'
import { postRefreshes } from './schema.ts'

export interface PlatformTotals {
  readonly platform: string
  readonly posts: number
  readonly failed: number
  readonly views: number
  readonly likes: number
  readonly comments: number
  readonly shares: number
  readonly engagementScore: number
  /** Epoch milliseconds; null: none was refreshed. */
  readonly refreshedAt: number | null
}

/** Sums of a company's posts of a window of publication (both inclusive), by platform. */
export function sumPosts(db: Db, window: { companyId: string; from: number; to: number }): PlatformTotals[] {
  const text = `select platform, sum(status = 'success') as posts, sum(status = 'error') as failed,
      sum(views) as views, sum(likes) as likes, sum(comments) as comments, sum(shares) as shares,
      total(engagement_score) as engagementScore, max(analytics_at) as refreshedAt
    from posts where company_id = ? and status in ('success', 'error') and published_at between ? and ?
    group by platform order by engagementScore desc, platform`
  return db.sqlite
    .prepare<(string | number)[], PlatformTotals>(text)
    .all(window.companyId, window.from, window.to)
}

export interface TrendingPage {
  readonly companyId: string
  /** Published at or after. */
  readonly since: number
  readonly platforms: readonly string[]
  /** Growth, publication and id of the post after which the page starts; null: the first page. */
  readonly after: readonly (string | number)[] | null
  readonly limit: number
}

/** Ids of published posts that grow, the fastest first. Only the posts of the window are looked at. */
export function listTrending(db: Db, page: TrendingPage): string[] {
  const { companyId, since, platforms, after, limit } = page
  const conditions = [
    'company_id = ?',
    `status in ('success', 'error')`,
    'published_at >= ?',
    `+status = 'success'`,
    '+growth_rate > 0',
    ...(platforms.length === 0 ? [] : ['+platform in (select value from json_each(?))']),
    ...(after === null ? [] : ['(+growth_rate, +published_at, +id) < (?, ?, ?)']),
  ]
  const values = [
    companyId,
    since,
    ...(platforms.length === 0 ? [] : [JSON.stringify(platforms)]),
    ...(after ?? []),
  ]
  const text = `select id from posts where ${conditions.join(' and ')}
    order by growth_rate desc, published_at desc, id desc limit ?`
  return db.sqlite
    .prepare<(string | number)[], { id: string }>(text)
    .all(...values, limit)
    .map(({ id }) => id)
}

/** When a post is asked for next, and what went wrong last; null: it is not asked for. */
export function getRefresh(db: Db, postId: string): { nextAt: number | null; error: string | null } | null {
  const { nextAt, error } = postRefreshes
  return (
    db.orm.select({ nextAt, error }).from(postRefreshes).where(eq(postRefreshes.postId, postId)).get() ?? null
  )
}
