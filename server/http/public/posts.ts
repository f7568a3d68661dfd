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
import { readQuery } from '../json-body.ts'
import { contextOf } from '../request-context.ts'

interface Asked {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
}

function readPostsQuery(ctx: Asked): PostsQuery {
  const query = new URLSearchParams(ctx.request.url.split('?', 2)[1])
  return query.has('clipId') ? readQuery(ctx, PostsOfClipQuery) : readQuery(ctx, PostsQuery)
}

export function postRoutes(services: Services) {
  const list = (ctx: Asked): PostsResponse =>
    listPosts(services, readPostsQuery(ctx), contextOf(ctx.request).baseUrl)
  const one = (ctx: Asked): PostAnalyticsResponse =>
    getPostAnalytics(services, readQuery(ctx, PostQuery), contextOf(ctx.request).baseUrl)
  const lists = { query: PostsQuery, errors: ['INVALID_CURSOR'] } as const
  const notes = { query: PostQuery, errors: ['POST_NOT_FOUND'] } as const
  return new Elysia()
    .get('/posts', (ctx) => list(ctx), describeRoute('Published posts', PostsResponse, lists))
    .get(
      '/companies/:companyId/posts',
      (ctx) => list(ctx),
      describeRoute('Published posts', PostsResponse, lists),
    )
    .get(
      '/post-analytics',
      (ctx) => one(ctx),
      describeRoute('One post with its counters', PostAnalyticsResponse, notes),
    )
    .get(
      '/companies/:companyId/posts/:postId/analytics',
      (ctx) => one(ctx),
      describeRoute('One post with its counters', PostAnalyticsResponse, notes),
    )
}
