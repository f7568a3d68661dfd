/** GET /studio/analytics/days: what a company's posts gained, day by day. */
import { Type, type Static } from '@sinclair/typebox'

/** Days of the window at most. */
const MAX_ANALYTICS_DAYS = 366

export const AnalyticsDaysQuery = Type.Object({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  days: Type.Integer({ minimum: 1, maximum: MAX_ANALYTICS_DAYS, description: 'Until today' }),
  offset: Type.Optional(
    Type.Integer({ minimum: -840, maximum: 840, description: 'Minutes that the day begins before UTC’s; 0' }),
  ),
})
export type AnalyticsDaysQuery = Static<typeof AnalyticsDaysQuery>

/** Below 0 where a platform took counts back. */
const gained = Type.Integer()

export const AnalyticsDay = Type.Object({
  day: Type.String({ description: '`2026-11-21`, in the time zone of `offset`' }),
  views: gained,
  likes: gained,
  comments: gained,
  shares: gained,
})
export type AnalyticsDay = Static<typeof AnalyticsDay>

export const AnalyticsDays = Type.Object({
  days: Type.Array(AnalyticsDay, { description: 'Every day of the window, the first one first' }),
})
