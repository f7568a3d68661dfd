/** The files that a clip names by address, and what came of fetching them. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { StudioAssets } from '../../contract/studio-assets.ts'
import { clipAssets } from '../../domain/clip-assets.ts'
import type { Services } from '../../domain/services.ts'
import { describe } from '../answers.ts'
import { readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor } from './company.ts'

const CompanyQuery = Type.Object({ companyId: Type.Optional(Type.String({ minLength: 1 })) })

export function clipAssetRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' }).get(
    '/clips/:clipId/assets',
    (ctx): StudioAssets => {
      const { companyId } = readQuery(ctx, CompanyQuery)
      const company = companyFor(services, principalOf(ctx.request), companyId)
      return clipAssets(services, { companyId: company, clipId: ctx.params.clipId })
    },
    {
      detail: describe('What came of the files that a clip names', StudioAssets, {
        query: CompanyQuery,
        errors: ['CLIP_NOT_FOUND'],
      }),
    },
  )
}
