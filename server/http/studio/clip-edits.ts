/** Edits of many clips: clip after clip, and taken back as one. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ClipEditId, ClipEditRequest } from '../../contract/clip-edits.ts'
import { editOneOfMany, undoManyEdits } from '../../domain/clips/edit-many.ts'
import type { Services } from '../../domain/services.ts'
import { acceptBody } from '../json-body.ts'
import { contextOf, editorName } from '../request-context.ts'
import { companyInQuery } from './company.ts'

export function clipEditRoutes(services: Services) {
  const company = companyInQuery(services)
  return new Elysia({ prefix: '/studio' })
    .post(
      '/clips/:clipId/edits',
      (ctx) =>
        editOneOfMany(services, {
          ...ctx.body,
          companyId: company(ctx),
          clipId: ctx.params.clipId,
          baseUrl: contextOf(ctx.request).baseUrl,
          editor: editorName(ctx.request),
        }),
      acceptBody(ClipEditRequest),
    )
    .post(
      '/clip-edits/:editId/undo',
      (ctx) =>
        undoManyEdits(services, {
          companyId: company(ctx),
          editId: ctx.params.editId,
          editor: editorName(ctx.request),
        }),
      { params: Type.Object({ editId: ClipEditId }) },
    )
}
