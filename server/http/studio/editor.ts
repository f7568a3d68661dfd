/** Routes of the clip editor: opening a clip, and composing drafts of it. */
import { Elysia } from 'elysia'
import {
  StudioComposition,
  StudioDraft,
  StudioEditor,
  StudioSave,
  StudioSaved,
} from '../../contract/studio-editor.ts'
import { StudioClip } from '../../contract/studio.ts'
import { composeDraft, openEditor, saveDraft } from '../../domain/clips/editor.ts'
import type { Services } from '../../domain/services.ts'
import { studioClip } from '../../domain/clips/studio-overview.ts'
import { describeRoute } from '../answers.ts'
import { jsonBody } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import { companyInQuery, CompanyQuery } from './company.ts'

export function editorRoutes(services: Services) {
  const address = (ctx: { readonly request: Request }, clipId: string) => ({
    companyId: companyInQuery(services, ctx.request),
    clipId,
    baseUrl: contextOf(ctx.request).baseUrl,
  })
  return new Elysia({ prefix: '/studio' })
    .get(
      '/clips/:clipId/editor',
      (ctx): StudioEditor => openEditor(services, address(ctx, ctx.params.clipId)),
      describeRoute('A clip for its editor', StudioEditor, {
        query: CompanyQuery,
        errors: ['CLIP_NOT_FOUND'],
      }),
    )
    .get(
      '/clips/:clipId',
      (ctx): StudioClip => studioClip(services, address(ctx, ctx.params.clipId)),
      describeRoute('A clip, with why it was picked', StudioClip, {
        query: CompanyQuery,
        errors: ['CLIP_NOT_FOUND'],
      }),
    )
    .post(
      '/clips/:clipId/compose',
      (ctx): Promise<StudioComposition> =>
        composeDraft(services, { ...ctx.body, ...address(ctx, ctx.params.clipId) }),
      describeRoute('How a clip would be with edits that are not saved', StudioComposition, {
        body: jsonBody(StudioDraft),
        errors: ['CLIP_NOT_FOUND', 'INVALID_CLIP_UPDATE', 'UNSUPPORTED_CLIP_FIELDS'],
      }),
    )
    .patch(
      '/clips/:clipId',
      (ctx): Promise<StudioSaved> => saveDraft(services, { ...ctx.body, ...address(ctx, ctx.params.clipId) }),
      describeRoute('Save edits of a clip, those that no public field holds included', StudioSaved, {
        body: jsonBody(StudioSave),
        errors: ['CLIP_NOT_FOUND', 'INVALID_CLIP_UPDATE', 'UNSUPPORTED_CLIP_FIELDS', 'PRECONDITION_FAILED'],
      }),
    )
}
