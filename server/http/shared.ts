/**
 * What a share link opens: /shared/links/ID/..., and the files of its clips. The token is sent once, in a body, and turned into
 * a cookie of that link alone; no other route of the appliance reads that cookie.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { AppError } from '../contract/errors.ts'
import { NewShareComment, NewShareDecision, ShareOpen } from '../contract/sharing.ts'
import {
  commentShared,
  decideShared,
  openShared,
  sharedMedia,
  viewShared,
  type Reviewer,
} from '../domain/sharing/review-shared.ts'
import type { Services } from '../domain/services.ts'
import { cookieValue } from './authenticate.ts'
import { withinLimits } from './call-trace.ts'
import { acceptBody, done } from './json-body.ts'
import { sendFile } from './media.ts'
import { contextOf } from './request-context.ts'
import { cookieRules } from './studio/sign-in.ts'
import { counted, type Answering } from './studio/sign-in-routes.ts'

export const SHARED_MEDIA = '/shared/media/'
const MEDIA_PATH = /^\/shared\/media\/([\w-]{1,100})\/([\w-]{1,100})\/([\w-]{1,100})$/

/** One for each link, so that a reviewer may have several open. */
const cookieName = (linkId: string): string => `cutroom_share_${linkId}`

function reviewerOf(id: string, cookie: string | undefined): Reviewer {
  const proof = cookieValue({ cookie }, cookieName(id))
  return { id, proof: proof === '' ? null : proof }
}
const reviewer = (ctx: {
  readonly request: Request
  readonly params: { readonly linkId: string }
}): Reviewer => reviewerOf(ctx.params.linkId, ctx.request.headers.get('cookie') ?? undefined)

async function open(
  services: Services,
  ctx: Answering,
  given: { readonly id: string; readonly token: string; readonly password: string | null },
): Promise<void> {
  const { trace } = contextOf(ctx.request)
  const account = `share:${given.id}`
  // Guesses of the password are limited as those of people are: by the link, whoever guesses.
  if (given.password !== null) withinLimits(trace, (limits) => limits.account.guess(account))
  const { proof, expiresAt } = await counted(ctx, () => openShared(services, given))
  if (given.password !== null) trace.limits.account.forgive(account)
  const seconds = Math.max(1, Math.ceil((expiresAt - services.now()) / 1000))
  const secure = cookieRules(services).secure ? '; Secure' : ''
  ctx.set.headers['set-cookie'] =
    `${cookieName(given.id)}=${proof}; Path=/shared; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

const LinkPath = Type.Object({ linkId: Type.String({ pattern: '^[\\w-]{1,100}$' }) })

export function sharedRoutes(services: Services) {
  return new Elysia({ prefix: '/shared/links' })
    .post(
      '/:linkId/open',
      async (ctx) => {
        const { token, password = null } = ctx.body
        await open(services, ctx, { id: ctx.params.linkId, token, password })
        return done
      },
      { ...acceptBody(ShareOpen), params: LinkPath },
    )
    .get('/:linkId', (ctx) => viewShared(services, reviewer(ctx)))
    .post(
      '/:linkId/comments',
      (ctx) => ({ comment: commentShared(services, reviewer(ctx), ctx.body) }),
      acceptBody(NewShareComment),
    )
    .post(
      '/:linkId/decisions',
      (ctx) => {
        decideShared(services, reviewer(ctx), ctx.body)
        return viewShared(services, reviewer(ctx))
      },
      acceptBody(NewShareDecision),
    )
}

/** GET and HEAD of a shared clip's file, with Range. Throws before anything was sent. `?save`: to be saved. */
export async function sendSharedMedia(
  services: Services,
  {
    request,
    response,
    path,
    search,
  }: {
    readonly request: IncomingMessage
    readonly response: ServerResponse
    readonly path: string
    readonly search: string
  },
): Promise<void> {
  const [, linkId = '', clipId = '', mediaId = ''] = MEDIA_PATH.exec(path) ?? []
  const who = reviewerOf(linkId, request.headers.cookie)
  const { found, download } = sharedMedia(services, who, { clipId, mediaId })
  const save = new URLSearchParams(search).has('save')
  if (save && !download) throw new AppError('NOT_FOUND')
  // Not for caches: the link may be revoked.
  response.setHeader('Cache-Control', 'private, no-store')
  await sendFile(services, { request, response, path }, found, save ? 'attachment' : 'inline')
}
