/** Queries over the counters of many posts: sums, and what grows. Lists by date and counter are in posts.ts. */
import { eq, and, asc, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { updateBy, type Orm } from './rows.ts'
import { postRefreshes, posts, socialAccounts } from './schema.ts'
import type { Platform } from '../contract/post.ts'

export interface PlatformTotals {
  readonly platform: Platform
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

/** When the counters of a post are fetched next, and the last error; null: they are not fetched. */
export function getRefresh(db: Db, postId: string): { nextAt: number | null; error: string | null } | null {
  const { nextAt, error } = postRefreshes
  return (
    db.orm.select({ nextAt, error }).from(postRefreshes).where(eq(postRefreshes.postId, postId)).get() ?? null
  )
}

export interface DayGains {
  /** Days since 1 January 1970, in the time zone of the offset. */
  readonly day: number
  readonly views: number
  readonly likes: number
  readonly comments: number
  readonly shares: number
}

/** Days in which something was refreshed, in order. Times in epoch milliseconds, `offset` too. */
export function gainsByDay(
  db: Pick<Db, 'sqlite'>,
  window: { readonly companyId: string; readonly from: number; readonly to: number; readonly offset: number },
): DayGains[] {
  // Numbers are bound as reals, which divide with a fraction: the day is cut off by the cast.
  const text = `with shown as (
      select id from posts where company_id = ? and status = 'success' and analytics_at >= ?
    ), steps as (
      select a.refreshed_at, a.views - coalesce(lag(a.views) over w, 0) as views,
        a.likes - coalesce(lag(a.likes) over w, 0) as likes,
        a.comments - coalesce(lag(a.comments) over w, 0) as comments,
        a.shares - coalesce(lag(a.shares) over w, 0) as shares
      from shown join post_analytics a on a.post_id = shown.id
      window w as (partition by a.post_id order by a.refreshed_at)
    )
    select cast((refreshed_at + ?) / 86400000 as integer) as day, sum(views) as views, sum(likes) as likes,
      sum(comments) as comments, sum(shares) as shares
    from steps where refreshed_at between ? and ? group by day order by day`
  const { companyId, from, to, offset } = window
  return db.sqlite.prepare<(string | number)[], DayGains>(text).all(companyId, from, offset, from, to)
}

export interface DueRefresh {
  readonly postId: string
  readonly companyId: string
  readonly accountId: string
  readonly platform: Platform
  readonly nativeId: string
  readonly publishedAt: number
  readonly failures: number
  readonly missing: number
}

/** The connected account with a post that is due, the longest waiting first. */
export function nextDueAccount(db: Orm, now: number): { companyId: string; accountId: string } | null {
  return (
    db.orm
      .select({ companyId: postRefreshes.companyId, accountId: postRefreshes.accountId })
      .from(postRefreshes)
      .innerJoin(
        socialAccounts,
        and(eq(socialAccounts.id, postRefreshes.accountId), eq(socialAccounts.state, 'connected')),
      )
      .where(lte(postRefreshes.nextAt, now))
      .orderBy(asc(postRefreshes.nextAt))
      .limit(1)
      .get() ?? null
  )
}

/** Posts of an account that are due. */
export function listDueRefreshes(db: Orm, accountId: string, now: number, limit: number): DueRefresh[] {
  return db.orm
    .select({
      postId: posts.id,
      companyId: posts.companyId,
      accountId: postRefreshes.accountId,
      platform: posts.platform,
      nativeId: sql<string>`${posts.nativeId}`,
      publishedAt: sql<number>`${posts.publishedAt}`,
      failures: postRefreshes.failures,
      missing: postRefreshes.missing,
    })
    .from(postRefreshes)
    .innerJoin(posts, eq(posts.id, postRefreshes.postId))
    .where(
      and(eq(postRefreshes.accountId, accountId), lte(postRefreshes.nextAt, now), isNotNull(posts.nativeId)),
    )
    .orderBy(asc(postRefreshes.nextAt))
    .limit(limit)
    .all()
}

export const updateRefresh = updateBy(postRefreshes, 'postId')

/** Postpones all refreshes of this account until `until`, and counts a failure for those that failed. */
export function postponeAccount(
  db: Orm,
  accountId: string,
  pause: { readonly until: number; readonly failed: readonly string[]; readonly error: string },
): void {
  const { until, failed, error } = pause
  db.orm
    .update(postRefreshes)
    .set({ nextAt: until })
    .where(and(eq(postRefreshes.accountId, accountId), lt(postRefreshes.nextAt, until)))
    .run()
  db.orm
    .update(postRefreshes)
    .set({ failures: sql`${postRefreshes.failures} + 1`, error })
    .where(inArray(postRefreshes.postId, [...failed]))
    .run()
}
