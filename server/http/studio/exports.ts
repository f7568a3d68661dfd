/** GET /studio/clips/{clipId}/export/{format}: a clip as a file for another program. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { exportClip } from '../../domain/rendering/export-clip.ts'
import type { Services } from '../../domain/services.ts'
import { describeRoute } from '../answers.ts'
import { readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor } from './company.ts'

const ExportQuery = Type.Object({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  clipId: Type.String({ minLength: 1, maxLength: 200 }),
  format: Type.String({ minLength: 1, maxLength: 20 }),
})

export function exportRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' }).get(
    '/clips/:clipId/export/:format',
    (ctx) => {
      const { companyId: given, clipId, format } = readQuery(ctx, ExportQuery)
      const companyId = companyFor(services, principalOf(ctx.request), given)
      const made = exportClip(services, { clipId, companyId, format, references: 'names' })
      return new Response(made.text, {
        headers: {
          'content-type': `${made.mediaType}; charset=utf-8`,
          // The file name in any script, and an ASCII form for clients that cannot read it.
          'content-disposition': `attachment; filename="clip.${made.fileName.split('.').at(-1) ?? format}"; filename*=UTF-8''${encodeURIComponent(made.fileName)}`,
        },
      })
    },
    describeRoute('A clip as a file for another program', Type.String(), {
      query: ExportQuery,
      errors: ['CLIP_NOT_FOUND'],
    }),
  )
}
