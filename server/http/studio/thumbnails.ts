/** The thumbnail designer: POST /studio/clips/{clipId}/thumbnail looks at a design, GET .../thumbnails/{size} makes it. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { choice } from '../../contract/config-fields.ts'
import { StudioThumbnail, StudioThumbnailDraft, StudioThumbnailFile } from '../../contract/studio-editor.ts'
import { ThumbnailSizeName } from '../../contract/thumbnail.ts'
import type { Services } from '../../domain/services.ts'
import { requestThumbnailFile, composeThumbnail } from '../../domain/clips/footage.ts'
import { describeRoute } from '../answers.ts'
import { jsonBody, readQuery } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import { companyInQuery, CompanyQuery } from './company.ts'

const FileQuery = Type.Object({
  ...CompanyQuery.properties,
  clipId: Type.String({ minLength: 1, maxLength: 200 }),
  size: ThumbnailSizeName,
  format: Type.Optional(choice(['jpeg', 'png'], { description: 'Form of the file; jpeg when left out' })),
})

export function thumbnailRoutes(services: Services) {
  const address = (request: Request, clipId: string) => ({
    companyId: companyInQuery(services, request),
    clipId,
    baseUrl: contextOf(request).baseUrl,
  })
  return new Elysia({ prefix: '/studio' })
    .post(
      '/clips/:clipId/thumbnail',
      (ctx): Promise<StudioThumbnail> => {
        const { request, params, body } = ctx
        return composeThumbnail(services, { ...body, ...address(request, params.clipId) })
      },
      describeRoute('How the thumbnail of a clip would be with edits that are not saved', StudioThumbnail, {
        body: jsonBody(StudioThumbnailDraft),
        errors: ['CLIP_NOT_FOUND', 'INVALID_CLIP_UPDATE', 'UNSUPPORTED_CLIP_FIELDS'],
      }),
    )
    .get(
      '/clips/:clipId/thumbnails/:size',
      (ctx): Promise<StudioThumbnailFile> => {
        const { clipId, size, format = 'jpeg' } = readQuery(ctx, FileQuery)
        return requestThumbnailFile(services, { ...address(ctx.request, clipId), size, format })
      },
      describeRoute('The saved thumbnail of a clip as a file in one of its sizes', StudioThumbnailFile, {
        query: FileQuery,
        errors: ['CLIP_NOT_FOUND'],
      }),
    )
}
