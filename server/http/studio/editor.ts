/** Routes of the clip editor: opening a clip, and composing drafts of it. */
import { Elysia } from 'elysia'
import {
  StudioComposition,
  StudioDraft,
  StudioEditor,
  StudioSave,
  StudioSaved,
  StudioThumbnail,
  StudioThumbnailDraft,
  StudioThumbnailFile,
} from '../../contract/studio-editor.ts'
import { StudioClip, StudioAgent, StudioAgentAnswer, StudioAgentQuestion } from '../../contract/studio.ts'
import {
  composeDraft,
  openEditor,
  saveDraft,
  clipAssets,
  fetchAgain,
  stopFetching,
} from '../../domain/clips/editor.ts'
import type { Services } from '../../domain/services.ts'
import { studioClip } from '../../domain/clips/studio-overview.ts'
import { describeRoute } from '../answers.ts'
import { jsonBody, readQuery } from '../json-body.ts'
import { contextOf, principalOf } from '../request-context.ts'
import { companyInQuery, CompanyQuery, companyFor } from './company.ts'
import { agentState, askAgent } from '../../domain/agent/agent.ts'
import { StudioAssets, STRIP_SPACINGS, StudioScrub, StudioStrip } from '../../contract/studio-footage.ts'
import { Type } from '@sinclair/typebox'
import { choice } from '../../contract/config-fields.ts'
import { ThumbnailSizeName } from '../../contract/thumbnail.ts'
import {
  requestThumbnailFile,
  composeThumbnail,
  requestScrubProxy,
  requestFilmstrip,
} from '../../domain/clips/footage.ts'
import { exportClip } from '../../domain/rendering/export-clip.ts'

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

export function agentRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get(
      '/agent',
      (): StudioAgent => agentState(services),
      describeRoute('Whether a language model is there for the chat about clips', StudioAgent),
    )
    .post(
      '/clips/:clipId/agent',
      (ctx): Promise<StudioAgentAnswer> => {
        const companyId = companyInQuery(services, ctx.request)
        return askAgent(services, { ...ctx.body, companyId, clipId: ctx.params.clipId }, ctx.request.signal)
      },
      describeRoute('What a language model would do to a clip; nothing is done', StudioAgentAnswer, {
        body: jsonBody(StudioAgentQuestion),
        errors: ['CLIP_NOT_FOUND', 'CANCELLED'],
      }),
    )
}

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
