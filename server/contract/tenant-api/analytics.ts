/** GET /analytics/...: counters of posts from their last refresh. No platform is contacted for a response. */
import { Type, type Static } from '@sinclair/typebox'
import { count, orNull, bound, PLATFORMS, POST_SORTS } from '../post.ts'
import { Moment, NullableMoment, PAGE_QUERY } from './envelope.ts'
import { choice, closedObject, nullable, oneOf } from '../config-fields.ts'

const PlatformName = oneOf(PLATFORMS)

const COUNTERS = {
  views: count('Impressions on platforms without views; 0 where a platform tells neither'),
  likes: count('Likes'),
  comments: count('Comments'),
  shares: count('Shares'),
}
const Score = nullable(Type.Number(), {
  description: 'likes*2 + comments*3 + shares*4 + max(5, views/100); null before the first refresh',
})
const Growth = nullable(Type.Number(), {
  description: 'Percent by which the score grew between the two latest refreshes; null before the second',
})

/** A published post (or one that failed to be) with its counters. */
export const PostAnalyticsItem = closedObject({
  postId: Type.String(),
  clipId: orNull(),
  platform: PlatformName,
  status: Type.String({ enum: ['success', 'error'] }),
  text: Type.String({ description: 'Published caption' }),
  postUrl: orNull(),
  publishedAt: Moment,
  ...COUNTERS,
  engagementScore: Score,
  growthRate: Growth,
  lastAnalyticsUpdate: NullableMoment,
})
export type PostAnalyticsItem = Static<typeof PostAnalyticsItem>

/** One refresh of a post. */
const RefreshPoint = closedObject({ at: Moment, ...COUNTERS, engagementScore: Type.Number() })

export const HISTORY_LENGTH = 200
export const PostAnalyticsDetail = closedObject({
  ...PostAnalyticsItem.properties,
  platformMetrics: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The platform’s own metrics of the latest refresh, by platform; their shape may change',
  }),
  history: Type.Array(RefreshPoint, {
    maxItems: HISTORY_LENGTH,
    description: `The newest refreshes, ${HISTORY_LENGTH} at most, oldest first`,
  }),
  nextRefreshAt: NullableMoment,
  refreshError: orNull(
    Type.String({ description: 'Why the latest refresh did not work, while it does not' }),
  ),
})
export type PostAnalyticsDetail = Static<typeof PostAnalyticsDetail>

const WINDOW = {
  from: bound('ISO 8601 date or datetime of publication, inclusive'),
  to: bound('ISO 8601 date (the whole day) or datetime of publication, inclusive'),
}
const platforms = () =>
  Type.Optional({
    ...Type.Array(choice(PLATFORMS), { maxItems: PLATFORMS.length }),
    description: 'Any of these; all when left out',
  })

export const PostAnalyticsQuery = Type.Object({
  sortBy: Type.Optional(choice(POST_SORTS, { description: 'date when left out; always the highest first' })),
  platform: platforms(),
  ...WINDOW,
  ...PAGE_QUERY,
})
export type PostAnalyticsQuery = Static<typeof PostAnalyticsQuery>

/** How long ago a trending post may have been published. */
export const TRENDING_DAYS = 30
export const TrendingQuery = Type.Object({
  platform: platforms(),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: TRENDING_DAYS,
      description: 'Published within so many days',
    }),
  ),
  ...PAGE_QUERY,
})
export type TrendingQuery = Static<typeof TrendingQuery>

export const SUMMARY_DAYS = 30
export const SummaryQuery = Type.Object({
  from: bound(`ISO 8601 date or datetime of publication; ${SUMMARY_DAYS} days before to where left out`),
  to: bound('ISO 8601 date (the whole day) or datetime of publication; now where left out'),
})
export type SummaryQuery = Static<typeof SummaryQuery>

const TOTALS = {
  posts: count('Published'),
  failed: count('That failed to be published'),
  ...COUNTERS,
  engagementScore: Type.Number({ description: 'The sum of the posts’ scores' }),
}
export const AnalyticsTotals = closedObject(TOTALS)
export type AnalyticsTotals = Static<typeof AnalyticsTotals>

export const AnalyticsSummary = closedObject({
  from: Moment,
  to: Moment,
  totals: AnalyticsTotals,
  previous: { ...AnalyticsTotals, description: 'Of the window of the same length right before' },
  byPlatform: Type.Array(closedObject({ platform: PlatformName, ...TOTALS }), {
    description: 'Platforms with posts in the window, the highest score first',
  }),
  lastAnalyticsUpdate: NullableMoment,
})
export type AnalyticsSummary = Static<typeof AnalyticsSummary>
