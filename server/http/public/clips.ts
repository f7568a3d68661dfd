/** Clips, their words, edits and renders, and posts with their counters; reads have a form with ids in the path. */
import { Elysia } from 'elysia'
import {
  ClipTranscriptResponse,
  PatchTranscriptBody,
  PatchTranscriptRequest,
  PatchTranscriptResponse,
} from '../../contract/clip-transcript.ts'
import { ClipQuery, ClipResponse, RenderRequest, RenderResponse } from '../../contract/public-clip.ts'
import { UpdateClipBody, UpdateClipRequest, UpdateClipResponse } from '../../contract/update-clip.ts'
import { getClip, getClipTranscript } from '../../domain/clips/get-clip.ts'
import { patchTranscript } from '../../domain/transcripts/page-transcript.ts'
import { renderClip } from '../../domain/rendering/render-clip.ts'
import type { Services } from '../../domain/services.ts'
import { updateClip } from '../../domain/clips/update-clip.ts'
import { describeRoute } from '../answers.ts'
import { answerPost, type PostAnswer } from './answer-posts.ts'
import { jsonBody, readQuery, readRoutes, type QueryCall } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import {
  PostAnalyticsResponse,
  PostQuery,
  PostsOfClipQuery,
  PostsQuery,
  PostsResponse,
} from '../../contract/post.ts'
import { getPostAnalytics, listPosts } from '../../domain/analytics/published-posts.ts'

/** The domain knows media by path; the address depends on how the request came in. */
const absolute = (answer: RenderResponse, baseUrl: string): RenderResponse =>
  answer.renderUrl?.startsWith('/') === true ? { ...answer, renderUrl: baseUrl + answer.renderUrl } : answer

export function clipRoutes(services: Services) {
  const clip = (ctx: QueryCall) => {
    const { baseUrl } = contextOf(ctx.request)
    return { clip: getClip(services, { ...readQuery(ctx, ClipQuery), baseUrl }) }
  }
  return new Elysia()
    .use(
      readRoutes(
        ['/clip', '/companies/:companyId/clips/:clipId'],
        clip,
        describeRoute('One clip', ClipResponse, { query: ClipQuery, errors: ['CLIP_NOT_FOUND'] }),
      ),
    )
    .use(
      readRoutes(
        ['/clip-transcript', '/companies/:companyId/clips/:clipId/transcript'],
        (ctx) => getClipTranscript(services, readQuery(ctx, ClipQuery)),
        describeRoute('The words of a clip', ClipTranscriptResponse, {
          query: ClipQuery,
          errors: ['CLIP_NOT_FOUND', 'NO_TRANSCRIPT'],
        }),
      ),
    )
    .patch(
      '/clip-transcript',
      (ctx): PatchTranscriptResponse => {
        const { companyId, clipId, operations } = ctx.body
        return patchTranscript(services, { companyId, clipId, operations })
      },
      describeRoute('Correct the words of a clip', PatchTranscriptResponse, {
        body: jsonBody(PatchTranscriptRequest, { shown: PatchTranscriptBody }),
        errors: ['INVALID_OPERATIONS', 'CLIP_NOT_FOUND', 'NO_TRANSCRIPT'],
      }),
    )
    .post(
      '/update-clip',
      ({ request, set, body }) => {
        const { companyId, clipId, merge = true } = body
        const update = async (): Promise<PostAnswer<UpdateClipResponse>> => ({
          data: await updateClip(services, { companyId, clipId, merge, body }),
        })
        return answerPost(services, { request, set, content: body }, { slow: update })
      },
      describeRoute('Save editable fields of a clip', UpdateClipResponse, {
        body: jsonBody(UpdateClipRequest, { shown: UpdateClipBody, keepsUnknown: true }),
        once: true,
        errors: ['UNSUPPORTED_CLIP_FIELDS', 'INVALID_CLIP_UPDATE', 'CLIP_NOT_FOUND'],
      }),
    )
    .post(
      '/render',
      // Not tied to the connection: when the client disconnects, the render still finishes and is cached.
      ({ request, set, body }) => {
        const render = async (): Promise<PostAnswer<RenderResponse>> => {
          const data = absolute(await renderClip(services, body), contextOf(request).baseUrl)
          return { data, passing: data.status !== 'finished' }
        }
        return answerPost(services, { request, set, content: body }, { slow: render })
      },
      describeRoute('Render a clip and wait', RenderResponse, {
        body: jsonBody(RenderRequest),
        once: true,
        errors: ['CLIP_NOT_FOUND'],
        description: 'A render that fails is an answer too: status failed, with error and code.',
      }),
    )
}

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
