/** What posts gained between their refreshes, by day. */
import type { Db } from './client.ts'

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
