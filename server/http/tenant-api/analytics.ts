/** GET /analytics/...: counters of posts, as they were refreshed last. */
import {
  AnalyticsSummary,
  PostAnalyticsDetail,
  PostAnalyticsItem,
  PostAnalyticsQuery,
  SummaryQuery,
  TrendingQuery,
} from '../../contract/tenant-api/analytics.ts'
import { list, single } from '../../contract/tenant-api/envelope.ts'
import { listAnalytics, listTrendingPosts, readAnalytics, summarise } from '../../domain/analytics/read.ts'
import { tenantRoute } from './declare.ts'

export const analyticsRoutes = [
  tenantRoute('GET /analytics/posts', {
    operationId: 'listPostAnalytics',
    summary: 'Published posts with their counters',
    query: PostAnalyticsQuery,
    answer: list(PostAnalyticsItem),
    success: 'A page of cached post analytics',
    errors: ['INVALID_CURSOR'],
    handle: (services, { caller, query }) => {
      const { posts, nextCursor } = listAnalytics(services, caller, query)
      return { data: posts, meta: { nextCursor } }
    },
  }),
  tenantRoute('GET /analytics/posts/{postId}', {
    operationId: 'getPostAnalytics',
    summary: 'Counters of one post, its history and the platform’s own metrics',
    answer: single(PostAnalyticsDetail),
    success: 'Cached analytics of the post',
    handle: (services, { caller, params }) => ({ data: readAnalytics(services, caller, params.postId) }),
  }),
  tenantRoute('GET /analytics/summary', {
    operationId: 'getAnalyticsSummary',
    summary: 'Sums over the posts of a window of publication, by platform, and of the window before',
    query: SummaryQuery,
    answer: single(AnalyticsSummary),
    success: 'The cached summary',
    handle: (services, { caller, query }) => ({ data: summarise(services, caller, query) }),
  }),
  tenantRoute('GET /analytics/trending-posts', {
    operationId: 'listTrendingPosts',
    summary: 'Posts of late whose engagement grows, the fastest first',
    query: TrendingQuery,
    answer: list(PostAnalyticsItem),
    success: 'A page of cached trending posts',
    errors: ['INVALID_CURSOR'],
    handle: (services, { caller, query }) => {
      const { posts, nextCursor } = listTrendingPosts(services, caller, query)
      return { data: posts, meta: { nextCursor } }
    },
  }),
]
