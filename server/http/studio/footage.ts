/** GET /studio/clips/{clipId}/filmstrip and /scrub: the filmstrip and the scrub proxy, made on request. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { STRIP_SPACINGS, StudioScrub, StudioStrip } from '../../contract/studio-footage.ts'
import { requestScrubProxy, requestFilmstrip } from '../../domain/clips/footage.ts'
import type { Services } from '../../domain/services.ts'
import { describeRoute } from '../answers.ts'
import { readQuery } from '../json-body.ts'
import { contextOf, principalOf } from '../request-context.ts'
import { companyFor } from './company.ts'

const ScrubQuery = Type.Object({ companyId: Type.Optional(Type.String({ minLength: 1 })) })
const StripQuery = Type.Object({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  level: Type.Integer({
    minimum: 0,
    maximum: STRIP_SPACINGS.length - 1,
    description: `Seconds between two pictures: ${STRIP_SPACINGS.join(', ')}`,
  }),
  sheet: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Which file of it, from 0' }),
})

export function footageRoutes(services: Services) {
  const address = (request: Request, clipId: string, companyId: string | undefined) => ({
    companyId: companyFor(services, principalOf(request), companyId),
    clipId,
    baseUrl: contextOf(request).baseUrl,
  })
  return new Elysia({ prefix: '/studio' })
    .get(
      '/clips/:clipId/filmstrip',
      (ctx): Promise<StudioStrip> => {
        const { request, params } = ctx
        const { companyId, level, sheet } = readQuery({ request, params: {} }, StripQuery)
        const spacing = STRIP_SPACINGS[level] ?? STRIP_SPACINGS[0]
        return requestFilmstrip(services, { ...address(request, params.clipId, companyId), spacing, sheet })
      },
      describeRoute('A file of the filmstrip of a clip’s source', StudioStrip, {
        query: StripQuery,
        errors: ['CLIP_NOT_FOUND'],
      }),
    )
    .get(
      '/clips/:clipId/scrub',
      (ctx): Promise<StudioScrub> => {
        const { request, params } = ctx
        const { companyId } = readQuery({ request, params: {} }, ScrubQuery)
        return requestScrubProxy(services, address(request, params.clipId, companyId))
      },
      describeRoute('The extended cut of a clip, for scrubbing', StudioScrub, {
        query: ScrubQuery,
        errors: ['CLIP_NOT_FOUND'],
      }),
    )
}
