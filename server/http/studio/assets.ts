/** The files that a clip names by address, and what came of fetching them. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { StudioAssets } from '../../contract/studio-assets.ts'
import { clipAssets, fetchAgain, stopFetching } from '../../domain/clip-assets.ts'
import type { Services } from '../../domain/services.ts'
import { describe } from '../answers.ts'
import { readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor } from './company.ts'

const CompanyQuery = Type.Object({ companyId: Type.Optional(Type.String({ minLength: 1 })) })

export function clipAssetRoutes(services: Services) {
  const addressOf = (ctx: Parameters<typeof readQuery>[0] & { request: Request }, clipId: string) => {
    const { companyId } = readQuery(ctx, CompanyQuery)
    return { companyId: companyFor(services, principalOf(ctx.request), companyId), clipId }
  }
  const described = (what: string) => ({
    detail: describe(what, StudioAssets, { query: CompanyQuery, errors: ['CLIP_NOT_FOUND'] }),
  })
  return new Elysia({ prefix: '/studio' })
    .get(
      '/clips/:clipId/assets',
      (ctx) => clipAssets(services, addressOf(ctx, ctx.params.clipId)),
      described('What came of the files that a clip names'),
    )
    .post(
      '/clips/:clipId/assets/stop',
      (ctx) => stopFetching(services, addressOf(ctx, ctx.params.clipId)),
      described('Stop fetching the files that a clip names'),
    )
    .post(
      '/clips/:clipId/assets/fetch',
      (ctx) => fetchAgain(services, addressOf(ctx, ctx.params.clipId)),
      described('Fetch the files that a clip names and that were not fetched'),
    )
}
