/** GET /posts, GET /post-analytics and their path forms. */
import { Elysia } from 'elysia'
import {
  PostAnalyticsResponse,
  PostQuery,
  PostsOfClipQuery,
  PostsQuery,
  PostsResponse,
} from '../../contract/post.ts'
import { getPostAnalytics, listPosts } from '../../domain/analytics/published-posts.ts'
import type { Services } from '../../domain/services.ts'
import { describeRoute } from '../answers.ts'
import { readQuery, readRoutes, type QueryCall } from '../json-body.ts'
import { contextOf } from '../request-context.ts'

function readPostsQuery(ctx: QueryCall): PostsQuery {
  const query = new URLSearchParams(ctx.request.url.split('?', 2)[1])
  return query.has('clipId') ? readQuery(ctx, PostsOfClipQuery) : readQuery(ctx, PostsQuery)
}

export function postRoutes(services: Services) {
  return new Elysia()
    .use(
      readRoutes(
        ['/posts', '/companies/:companyId/posts'],
        (ctx) => listPosts(services, readPostsQuery(ctx), contextOf(ctx.request).baseUrl),
        describeRoute('Published posts', PostsResponse, { query: PostsQuery, errors: ['INVALID_CURSOR'] }),
      ),
    )
    .use(
      readRoutes(
        ['/post-analytics', '/companies/:companyId/posts/:postId/analytics'],
        (ctx) => getPostAnalytics(services, readQuery(ctx, PostQuery), contextOf(ctx.request).baseUrl),
        describeRoute('One post with its counters', PostAnalyticsResponse, {
          query: PostQuery,
          errors: ['POST_NOT_FOUND'],
        }),
      ),
    )
}
