/** Routes of files that leave the studio: delivery profiles, timelines and words of a clip. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ExportRequest } from '../../contract/studio-exports.ts'
import { listClipExports, requestExport } from '../../domain/rendering/clip-exports.ts'
import { exportClip } from '../../domain/rendering/export-clip.ts'
import type { Services } from '../../domain/services.ts'
import { acceptBody, readQuery } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import { companyInQuery } from './company.ts'

const FormatQuery = Type.Object({
  clipId: Type.String({ minLength: 1, maxLength: 200 }),
  format: Type.String({ minLength: 1, maxLength: 20 }),
})

interface ClipCall {
  readonly request: Request
  readonly params: { readonly clipId: string }
}

export function exportRoutes(services: Services) {
  const company = companyInQuery(services)
  const address = (ctx: ClipCall) => ({ companyId: company(ctx), clipId: ctx.params.clipId })
  return new Elysia({ prefix: '/studio' })
    .get('/clips/:clipId/exports', (ctx) =>
      listClipExports(services, { ...address(ctx), baseUrl: contextOf(ctx.request).baseUrl }),
    )
    .post(
      '/clips/:clipId/exports',
      (ctx) => requestExport(services, { ...ctx.body, ...address(ctx) }),
      acceptBody(ExportRequest),
    )
    .get('/clips/:clipId/export/:format', (ctx) =>
      sendExport(services, company(ctx), readQuery(ctx, FormatQuery)),
    )
}

function sendExport(
  services: Services,
  companyId: string,
  clip: { readonly clipId: string; readonly format: string },
): Response {
  const { text, mediaType, fileName } = exportClip(services, { ...clip, companyId, references: 'names' })
  return new Response(text, {
    headers: {
      'content-type': `${mediaType}; charset=utf-8`,
      // The file name in any script, and an ASCII form for clients that cannot read it.
      'content-disposition': `attachment; filename="clip.${fileName.split('.').at(-1) ?? clip.format}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    },
  })
}
