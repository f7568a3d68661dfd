/** Routes of Review: what a run found, decisions about it, what is picked besides, and rendering what is kept. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  FindRequest,
  MergeRequest,
  RangeRequest,
  RenderKeptRequest,
  ReviewDecisions,
  ReviewTranscriptQuery,
} from '../../contract/review.ts'
import { STRIP_SPACINGS } from '../../contract/studio-footage.ts'
import { requestRunFilmstrip } from '../../domain/clips/footage.ts'
import { decideClips, findAgain, mergeClips, pickRange, renderKept } from '../../domain/review/decide.ts'
import { readReview, readSourceWords } from '../../domain/review/read-review.ts'
import type { Services } from '../../domain/services.ts'
import { acceptBody, readQuery } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import { companyInQuery } from './company.ts'

const StripQuery = Type.Object({
  level: Type.Integer({ minimum: 0, maximum: STRIP_SPACINGS.length - 1 }),
  sheet: Type.Integer({ minimum: 0, maximum: 100_000 }),
})

interface RunCall {
  readonly request: Request
  readonly params: { readonly runId: string }
}

export function reviewRoutes(services: Services) {
  const company = companyInQuery(services)
  const address = (ctx: RunCall) => ({ companyId: company(ctx), runId: ctx.params.runId })
  const page = (ctx: RunCall) => ({ ...address(ctx), baseUrl: contextOf(ctx.request).baseUrl })
  return new Elysia({ prefix: '/studio/runs/:runId' })
    .get('/review', (ctx) => readReview(services, page(ctx)))
    .get('/transcript', (ctx) => {
      const query = readQuery({ request: ctx.request, params: {} }, ReviewTranscriptQuery)
      return readSourceWords(services, { ...address(ctx), ...query })
    })
    .get('/filmstrip', (ctx) => {
      const { level, sheet } = readQuery({ request: ctx.request, params: {} }, StripQuery)
      const spacing = STRIP_SPACINGS[level] ?? STRIP_SPACINGS[0]
      return requestRunFilmstrip(services, { ...page(ctx), spacing, sheet })
    })
    .post(
      '/decisions',
      (ctx) => decideClips(services, { ...ctx.body, ...address(ctx) }),
      acceptBody(ReviewDecisions),
    )
    .post('/picks', (ctx) => findAgain(services, { ...ctx.body, ...address(ctx) }), acceptBody(FindRequest))
    .post('/ranges', (ctx) => pickRange(services, { ...ctx.body, ...address(ctx) }), acceptBody(RangeRequest))
    .post(
      '/merges',
      (ctx) => mergeClips(services, { ...ctx.body, ...address(ctx) }),
      acceptBody(MergeRequest),
    )
    .post(
      '/render-kept',
      (ctx) => renderKept(services, { ...ctx.body, ...address(ctx) }),
      acceptBody(RenderKeptRequest),
    )
}
