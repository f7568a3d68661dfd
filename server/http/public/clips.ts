/** Clips, their words, edits and renders, and posts with their counters; reads have a form with ids in the path. */
import { Elysia } from 'elysia'
import {
  ClipTranscriptResponse,
  PatchTranscriptBody,
  PatchTranscriptRequest,
  PatchTranscriptResponse,
} from '../../contract/clip-transcript.ts'
import { invalidRequest } from '../../contract/errors.ts'
import {
  ClipQuery,
  ClipResponse,
  DeleteClipResponse,
  RenderBody,
  RenderRequest,
  RenderResponse,
} from '../../contract/public-clip.ts'
import { UpdateClipBody, UpdateClipRequest, UpdateClipResponse } from '../../contract/update-clip.ts'
import { getClip, getClipTranscript, requireClip } from '../../domain/clips/get-clip.ts'
import { clipEtag, requireOneMatch } from '../../domain/revisions.ts'
import {
  patchTranscript,
  transcriptEtag,
  transcriptEtagNow,
} from '../../domain/transcripts/page-transcript.ts'
import { renderClip } from '../../domain/rendering/render-clip.ts'
import type { Services } from '../../domain/services.ts'
import { deleteClip, updateClip } from '../../domain/clips/update-clip.ts'
import { describeRoute } from '../answers.ts'
import { ETAG, IF_MATCH } from '../openapi-headers.ts'
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

/** The If-Match of a request; any revision without one. INVALID_REQUEST for what is none. */
function readIfMatch(headers: Headers): string {
  const given = headers.get('if-match')?.trim() ?? '*'
  if (/^(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)$/.test(given)) return given
  throw invalidRequest('If-Match', 'If-Match should be the quoted ETag that was read.')
}

/** The domain knows media by path; the address depends on how the request came in. */
const absolute = (answer: RenderResponse, baseUrl: string): RenderResponse =>
  answer.renderUrl?.startsWith('/') === true ? { ...answer, renderUrl: baseUrl + answer.renderUrl } : answer

/** Clips and their words as they are, and deleting a clip. */
export function clipRoutes(services: Services) {
  return new Elysia()
    .use(
      readRoutes(
        ['/clip', '/companies/:companyId/clips/:clipId'],
        (ctx) => {
          const address = readQuery(ctx, ClipQuery)
          ctx.set.headers['etag'] = clipEtag(requireClip(services, address))
          return { clip: getClip(services, { ...address, baseUrl: contextOf(ctx.request).baseUrl }) }
        },
        describeRoute('One clip', ClipResponse, {
          query: ClipQuery,
          answerHeaders: ETAG,
          errors: ['CLIP_NOT_FOUND'],
        }),
      ),
    )
    .use(
      readRoutes(
        ['/clip-transcript', '/companies/:companyId/clips/:clipId/transcript'],
        (ctx) => {
          const address = readQuery(ctx, ClipQuery)
          const answer = getClipTranscript(services, address)
          ctx.set.headers['etag'] = transcriptEtagNow(services, address)
          return answer
        },
        describeRoute('The words of a clip', ClipTranscriptResponse, {
          query: ClipQuery,
          answerHeaders: ETAG,
          errors: ['CLIP_NOT_FOUND', 'NO_TRANSCRIPT'],
        }),
      ),
    )
    .use(
      readRoutes(
        ['/clip', '/companies/:companyId/clips/:clipId'],
        (ctx): DeleteClipResponse => {
          const address = readQuery(ctx, ClipQuery)
          deleteClip(services, address)
          return { clipId: address.clipId, status: 'success' }
        },
        describeRoute('Delete a clip', DeleteClipResponse, {
          query: ClipQuery,
          errors: ['CLIP_NOT_FOUND', 'INVALID_STATE'],
          description: 'Not while its run goes on. Its posts stay. An addition to the service’s document.',
        }),
        'DELETE',
      ),
    )
}

/** What changes clips, and renders them. */
export function clipChangeRoutes(services: Services) {
  return new Elysia()
    .patch(
      '/clip-transcript',
      (ctx): PatchTranscriptResponse => {
        const { companyId, clipId, operations } = ctx.body
        const ifMatch = readIfMatch(ctx.request.headers)
        const guard = (revision: number): void => requireOneMatch(ifMatch, transcriptEtag(clipId, revision))
        const answer = patchTranscript(services, { companyId, clipId, operations, guard })
        ctx.set.headers['etag'] = transcriptEtagNow(services, ctx.body)
        return answer
      },
      describeRoute('Correct the words of a clip', PatchTranscriptResponse, {
        body: jsonBody(PatchTranscriptRequest, { shown: PatchTranscriptBody }),
        headers: [IF_MATCH],
        answerHeaders: ETAG,
        errors: ['PRECONDITION_FAILED', 'INVALID_OPERATIONS', 'CLIP_NOT_FOUND', 'NO_TRANSCRIPT'],
      }),
    )
    .post(
      '/update-clip',
      ({ request, set, body }) => {
        const { companyId, clipId, merge = true } = body
        const ifMatch = readIfMatch(request.headers)
        const guard = (clip: { id: string; revision: number }): void =>
          requireOneMatch(ifMatch, clipEtag(clip))
        const update = async (): Promise<PostAnswer<UpdateClipResponse>> => {
          const { answer, clip } = await updateClip(services, { companyId, clipId, merge, body, guard })
          return { data: answer, headers: { etag: clipEtag(clip) } }
        }
        return answerPost(services, { request, set, content: { body, ifMatch } }, { slow: update })
      },
      describeRoute('Save editable fields of a clip', UpdateClipResponse, {
        body: jsonBody(UpdateClipRequest, { shown: UpdateClipBody, keepsUnknown: true }),
        once: true,
        headers: [IF_MATCH],
        answerHeaders: ETAG,
        errors: ['PRECONDITION_FAILED', 'UNSUPPORTED_CLIP_FIELDS', 'INVALID_CLIP_UPDATE', 'CLIP_NOT_FOUND'],
      }),
    )
    .post(
      '/render',
      // Not tied to the connection: when the client disconnects, the render still finishes and is cached.
      ({ request, set, body }) => {
        const { companyId, clipId, strict } = body
        const render = async (): Promise<PostAnswer<RenderResponse>> => {
          const data = absolute(
            await renderClip(services, { companyId, clipId, strict }),
            contextOf(request).baseUrl,
          )
          return { data, passing: data.status !== 'finished' }
        }
        return answerPost(services, { request, set, content: body }, { slow: render })
      },
      describeRoute('Render a clip and wait', RenderResponse, {
        body: jsonBody(RenderRequest, { shown: RenderBody }),
        once: true,
        errors: ['CLIP_NOT_FOUND'],
        description:
          'A render that fails is an answer too: status failed, with error and code. What a finished one lost is in warnings; with strict that is a failure, RENDER_INCOMPLETE.',
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
