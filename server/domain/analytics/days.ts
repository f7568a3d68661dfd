/** A company's gains over time, for the studio's charts. */
import type { AnalyticsDay, AnalyticsDaysQuery } from '../../contract/studio.ts'
import { gainsByDay } from '../../db/analytics-days.ts'
import type { Services } from '../services.ts'

const DAY = 86_400_000

/** Every day until today, days without a refresh with nothing. What a post had at its first refresh counts on that day. */
export function analyticsDays(
  { db, now }: Pick<Services, 'db' | 'now'>,
  {
    companyId,
    days,
    offset = 0,
  }: Required<Pick<AnalyticsDaysQuery, 'companyId' | 'days'>> & { offset?: number },
): { days: AnalyticsDay[] } {
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
