/** Posts on social platforms as the public API answers them, with their counters. */
import { Type, type Static } from '@sinclair/typebox'
import { PLATFORM_PRESETS, type Platform as PlatformName } from './platforms/registry.ts'
import { choice, nullable } from './config-fields.ts'

export type Platform = PlatformName
export const PLATFORMS: readonly Platform[] = PLATFORM_PRESETS.map(({ platform }) => platform)
export const Platform = choice(PLATFORMS)

export const POST_SORTS = ['date', 'views', 'likes', 'comments'] as const
export type PostSort = (typeof POST_SORTS)[number]

/** A text, or another value, that may be null. */
export const orNull = (schema = Type.String()) => nullable(schema)
export const count = (description: string) => Type.Integer({ minimum: 0, description })

/** There once the post was refreshed; the growth after the second time. */
const score = {
  engagementScore: Type.Optional(
    Type.Number({ description: 'likes*2 + comments*3 + shares*4 + max(5, views/100); for ranking' }),
  ),
  growthRate: Type.Optional(
    Type.Number({ description: 'Percent growth of the score between the two latest refreshes' }),
  ),
  lastAnalyticsUpdate: Type.Optional(Type.String({ description: 'Last refresh, ISO-8601 UTC' })),
}

export const AnalyticsRollup = Type.Object({
  views: count('Impressions on platforms without views'),
  likes: count('Likes'),
  comments: count('Comments'),
  shares: count('Shares'),
  ...score,
})
export type AnalyticsRollup = Static<typeof AnalyticsRollup>

const post = {
  id: Type.String(),
  platform: Platform,
  text: Type.String({ description: 'Published caption' }),
  postUrl: orNull(),
  nativeId: orNull(),
  clipId: orNull(),
  status: Type.String({ description: 'success, error' }),
  mediaUrl: orNull(),
  thumbnailUrl: orNull(),
  createdAt: Type.String({ description: 'Publish time, ISO-8601 UTC' }),
  ...score,
}

export const Post = Type.Object(post)
export type Post = Static<typeof Post>
export const ListedPost = Type.Object({ ...post, analytics: AnalyticsRollup })
export type ListedPost = Static<typeof ListedPost>

const PostAnalytics = Type.Object({
  ...AnalyticsRollup.properties,
  platformMetrics: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The platform’s own metrics of the latest refresh, by platform; their shape may change',
  }),
})

export const PostsResponse = Type.Object({ posts: Type.Array(ListedPost), cursor: orNull() })
export type PostsResponse = Static<typeof PostsResponse>
export const PostAnalyticsResponse = Type.Object({ post: Post, analytics: PostAnalytics })
export type PostAnalyticsResponse = Static<typeof PostAnalyticsResponse>

export const id = () => Type.String({ minLength: 1, maxLength: 200 })
/** A bound of a window of time, as text. */
export const bound = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

export const PostsQuery = Type.Object({
  companyId: id(),
  clipId: Type.Optional({
    ...id(),
    description: 'All posts made from this clip; sortBy and cursor are ignored',
  }),
  platform: Type.Optional({ ...Platform, description: 'Applied per page: go on until cursor is null' }),
  sortBy: Type.Optional(
    choice(POST_SORTS, { default: 'date', description: 'Newest first, or by a counter, highest first' }),
  ),
  startDate: bound('ISO-8601 date or datetime, inclusive; with sortBy=date only'),
  endDate: bound('ISO-8601 date (the whole day) or datetime, inclusive; with sortBy=date only'),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(Type.String({ maxLength: 1000, description: 'From the previous response' })),
})
export type PostsQuery = Static<typeof PostsQuery>

/** With `clipId` everything is answered at once: whatever `sortBy` and `cursor` hold is ignored. */
export const PostsOfClipQuery = Type.Omit(PostsQuery, ['sortBy', 'cursor'])

export const PostQuery = Type.Object({ companyId: id(), postId: id() })
