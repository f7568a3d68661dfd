/** Routes of clips: lists, the clip editor with its drafts, thumbnail and footage, the chat. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { choice } from '../../contract/config-fields.ts'
import { STRIP_SPACINGS } from '../../contract/studio-footage.ts'
import { StudioDraft, StudioSave, StudioThumbnailDraft } from '../../contract/studio-editor.ts'
import { StudioAgentQuestion, StudioCaptions, StudioWords } from '../../contract/studio.ts'
import { ThumbnailSizeName } from '../../contract/thumbnail.ts'
import { agentState, askAgent } from '../../domain/agent/agent.ts'
import {
  clipAssets,
  composeDraft,
  fetchAgain,
  openEditor,
  saveDraft,
  stopFetching,
} from '../../domain/clips/editor.ts'
import {
  composeThumbnail,
  requestFilmstrip,
  requestScrubProxy,
  requestThumbnailFile,
} from '../../domain/clips/footage.ts'
import { studioClip, studioClips } from '../../domain/clips/studio-overview.ts'
import { deleteClip, revokeClipAddresses } from '../../domain/clips/update-clip.ts'
import { listRenders } from '../../domain/rendering/clip-renders.ts'
import type { Services } from '../../domain/services.ts'
import { captionClip, setClipWords } from '../../domain/transcripts/replace-words.ts'
import { acceptBody, done, readQuery } from '../json-body.ts'
import { contextOf, editorName } from '../request-context.ts'
import { companyInQuery } from './company.ts'

const ClipsQuery = Type.Object({ runId: Type.Optional(Type.String({ minLength: 1 })) })
const clipId = Type.String({ minLength: 1, maxLength: 200 })
const FileQuery = Type.Object({
  clipId,
  size: ThumbnailSizeName,
  format: Type.Optional(choice(['jpeg', 'png'])),
})
const StripQuery = Type.Object({
  level: Type.Integer({ minimum: 0, maximum: STRIP_SPACINGS.length - 1 }),
  sheet: Type.Integer({ minimum: 0, maximum: 100_000 }),
})

interface ClipCall {
  readonly request: Request
  readonly params: { readonly clipId: string }
}

export function editorRoutes(services: Services) {
  const company = companyInQuery(services)
  const address = (ctx: ClipCall) => ({
    companyId: company(ctx),
    clipId: ctx.params.clipId,
    baseUrl: contextOf(ctx.request).baseUrl,
  })
  return new Elysia({ prefix: '/studio' })
    .get('/clips', (ctx) => {
      const { runId = null } = readQuery(ctx, ClipsQuery)
      const { baseUrl } = contextOf(ctx.request)
      return { clips: studioClips(services, { companyId: company(ctx), runId, baseUrl }) }
    })
    .get('/clips/:clipId', (ctx) => studioClip(services, address(ctx)))
    .get('/clips/:clipId/editor', (ctx) => openEditor(services, address(ctx)))
    .get('/clips/:clipId/renders', (ctx) => listRenders(services, address(ctx)))
    .post(
      '/clips/:clipId/compose',
      (ctx) => composeDraft(services, { ...ctx.body, ...address(ctx) }),
      acceptBody(StudioDraft),
    )
    .patch(
      '/clips/:clipId',
      (ctx) => saveDraft(services, { ...ctx.body, ...address(ctx), editor: editorName(ctx.request) }),
      acceptBody(StudioSave),
    )
    .delete('/clips/:clipId', (ctx) => {
      deleteClip(services, address(ctx))
      return done
    })
    .post('/clips/:clipId/addresses/revoke', (ctx) => {
      revokeClipAddresses(services, address(ctx))
      return done
    })
    .post(
      '/clips/:clipId/captions',
      (ctx) => captionClip(services, { ...ctx.body, companyId: company(ctx), ...ctx.params }),
      acceptBody(StudioCaptions),
    )
    .put(
      '/clips/:clipId/words',
      (ctx) => {
        setClipWords(services, { ...ctx.body, companyId: company(ctx), ...ctx.params })
        return done
      },
      acceptBody(StudioWords),
    )
    .get('/clips/:clipId/assets', (ctx) => clipAssets(services, address(ctx)))
    .post('/clips/:clipId/assets/stop', (ctx) => stopFetching(services, address(ctx)))
    .post('/clips/:clipId/assets/fetch', (ctx) => fetchAgain(services, address(ctx)))
    .post(
      '/clips/:clipId/thumbnail',
      (ctx) => composeThumbnail(services, { ...ctx.body, ...address(ctx) }),
      acceptBody(StudioThumbnailDraft),
    )
    .get('/clips/:clipId/thumbnails/:size', (ctx) => {
      const { size, format = 'jpeg' } = readQuery(ctx, FileQuery)
      return requestThumbnailFile(services, { ...address(ctx), size, format })
    })
    .get('/clips/:clipId/filmstrip', (ctx) => {
      const { level, sheet } = readQuery({ request: ctx.request, params: {} }, StripQuery)
      const spacing = STRIP_SPACINGS[level] ?? STRIP_SPACINGS[0]
      return requestFilmstrip(services, { ...address(ctx), spacing, sheet })
    })
    .get('/clips/:clipId/scrub', (ctx) => requestScrubProxy(services, address(ctx)))
    .get('/agent', () => agentState(services))
    .post(
      '/clips/:clipId/agent',
      (ctx) => askAgent(services, { ...ctx.body, ...address(ctx) }, ctx.request.signal),
      acceptBody(StudioAgentQuestion),
    )
}
