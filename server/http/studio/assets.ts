/** The files that a clip references by address, and the state of fetching them. */
import { Elysia } from 'elysia'
import { StudioAssets } from '../../contract/studio-footage.ts'
import { clipAssets, fetchAgain, stopFetching } from '../../domain/clips/editor.ts'
import type { Services } from '../../domain/services.ts'
import { describeRoute } from '../answers.ts'
import { companyInQuery, CompanyQuery } from './company.ts'

export function clipAssetRoutes(services: Services) {
  const addressOf = ({ request }: { readonly request: Request }, clipId: string) => ({
    companyId: companyInQuery(services, request),
    clipId,
  })
  const described = (what: string) =>
    describeRoute(what, StudioAssets, { query: CompanyQuery, errors: ['CLIP_NOT_FOUND'] })
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
