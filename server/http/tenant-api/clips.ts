/** /clips: lists, one clip, its words, its renders and exports. */
import {
  ClipPatch,
  ClipPatchMeta,
  ClipsMeta,
  ClipsQuery,
  ClipSummary,
  DomainClip,
  RenderBody,
  RenderedClip,
} from '../../contract/tenant-api/clip.ts'
import { list, single } from '../../contract/tenant-api/envelope.ts'
import { ExportedFile, ExportsMeta, NewExport } from '../../contract/tenant-api/export.ts'
import { DomainOperation } from '../../contract/tenant-api/operation.ts'
import {
  TranscriptMeta,
  TranscriptPage,
  TranscriptPatch,
  TranscriptPatchBody,
  TranscriptPatchMeta,
  TranscriptQuery,
} from '../../contract/tenant-api/transcript.ts'
import { personOf } from '../../domain/access/authorise.ts'
import { patchClip, readClip, listClips } from '../../domain/clips/tenant-clips.ts'
import { pageTranscript, patchAndPage } from '../../domain/transcripts/page-transcript.ts'
import { listExportedFiles, queueExport } from '../../domain/rendering/clip-exports.ts'
import { queueRender, renderAndWait } from '../../domain/rendering/render-clip.ts'
import { tenantRoute, type TenantCall } from './declare.ts'

type ClipCall = Pick<TenantCall, 'caller' | 'baseUrl'> & { readonly params: { readonly clipId: string } }

const addressOf = ({ caller, params, baseUrl }: ClipCall) => ({
  companyId: caller.companyId,
  clipId: params.clipId,
  baseUrl,
})

const documents = [
  tenantRoute('GET /clips', {
    operationId: 'listClips',
    summary: 'Clips, filtered and sorted, as compact summaries; or how many there are',
    description:
      'Filters of different names must all hold. Facets and totals count the clips that the filters leave, not only those of the page. An empty value filters nothing.',
    query: ClipsQuery,
    answer: list(ClipSummary, ClipsMeta),
    success: 'A page, or a count',
    errors: ['INVALID_CURSOR'],
    handle: (services, { caller, query, baseUrl }) =>
      listClips(services, { companyId: caller.companyId, query, baseUrl }),
  }),
  tenantRoute('GET /clips/{clipId}', {
    operationId: 'getClip',
    summary: 'One clip: its document, with addresses of its files',
    etag: true,
    answer: single(DomainClip),
    success: 'The clip',
    handle: (services, call) => readClip(services, addressOf(call)),
  }),
  tenantRoute('PATCH /clips/{clipId}', {
    operationId: 'updateClip',
    summary: 'Set fields of a clip',
    description:
      'Editing what can be seen or heard makes the rendered video outdated. Nothing is rendered: POST /clips/{clipId}/render does.',
    body: ClipPatch,
    ifMatch: true,
    idempotent: 'slow',
    answer: single(DomainClip, ClipPatchMeta),
    success: 'The clip as it is now',
    handle: (services, call) =>
      patchClip(services, addressOf(call), {
        patch: call.body,
        ifMatch: call.ifMatch,
        editor: personOf(services, call.caller),
      }),
  }),
]

const words = [
  tenantRoute('GET /clips/{clipId}/transcript', {
    operationId: 'getClipTranscript',
    summary: 'The words of a clip, a bounded page at a time',
    description: 'Words around the clip are there too, not visible, so that it can be extended.',
    query: TranscriptQuery,
    etag: true,
    answer: single(TranscriptPage, TranscriptMeta),
    success: 'A page of words',
    errors: ['INVALID_STATE', 'INVALID_CURSOR'],
    handle: (services, call) => {
      const { data, nextCursor, etag } = pageTranscript(services, addressOf(call), call.query)
      return { data, meta: { nextCursor }, etag }
    },
  }),
  tenantRoute('PATCH /clips/{clipId}/transcript', {
    operationId: 'updateClipTranscript',
    summary: 'Correct the words of a clip',
    body: TranscriptPatch,
    bodyShown: TranscriptPatchBody,
    ifMatch: true,
    idempotent: 'atomic',
    answer: single(TranscriptPage, TranscriptPatchMeta),
    success: 'The first page of the words as they are now',
    errors: ['INVALID_STATE'],
    handle: (services, call) => {
      const { body, ifMatch } = call
      const editor = personOf(services, call.caller)
      return patchAndPage(services, addressOf(call), { operations: body.operations, ifMatch, editor })
    },
  }),
]

const renders = [
  tenantRoute('POST /clips/{clipId}/render', {
    operationId: 'renderClip',
    summary: 'Render a clip and wait for its address',
    description:
      'A clip that is rendered already is answered at once, and one that is being rendered is waited for; neither counts against renderConcurrency. The connection stays open until it is done, for 12 hours at most.',
    body: RenderBody,
    bodyOptional: true,
    idempotent: 'slow',
    answer: single(RenderedClip),
    success: 'The render is done',
    errors: ['RENDER_CONCURRENCY_LIMIT', 'RENDER_FAILED', 'RENDER_INCOMPLETE', 'RENDER_QUEUE_UNAVAILABLE'],
    handle: async (services, call) => {
      const data = await renderAndWait(services, { ...call.body, ...addressOf(call) })
      return { data, passing: data.status === 'rendering' }
    },
  }),
  tenantRoute('POST /clips/{clipId}/render-jobs', {
    operationId: 'queueClipRender',
    summary: 'Queue a render of a clip',
    description:
      'A render of this clip that is queued or going on is joined: there is one at a time. What it lost is in `warnings` of its result. With `strict` it is refused for what is known to be lost when it is queued, and ends as RENDER_INCOMPLETE, without the file, for what is found later; strict renders and others do not join each other.',
    body: RenderBody,
    bodyOptional: true,
    idempotent: 'atomic',
    status: 202,
    answer: single(DomainOperation),
    success: 'The durable operation',
    errors: ['RENDER_INCOMPLETE', 'RENDER_QUEUE_UNAVAILABLE'],
    handle: (services, call) => ({ data: queueRender(services, { ...call.body, ...addressOf(call) }) }),
  }),
]

const exports = [
  tenantRoute('GET /clips/{clipId}/exports', {
    operationId: 'listClipExports',
    summary: 'Files of delivery profiles that were made of a clip, and the profiles',
    description:
      'The newest first, thirty at most. A file has its address for seven days and can be made again at any time.',
    answer: list(ExportedFile, ExportsMeta),
    success: 'The files, and in meta the profiles',
    handle: (services, call) => listExportedFiles(services, addressOf(call)),
  }),
  tenantRoute('POST /clips/{clipId}/exports', {
    operationId: 'exportClip',
    summary: 'Queue the file of a delivery profile',
    description:
      'The clip is composed anew from its source, at the size, frame rate and loudness of the profile. A request for the same clip and profile that is queued or going on is joined. What this appliance cannot make is refused before any work, with the reason.',
    body: NewExport,
    idempotent: 'slow',
    status: 202,
    answer: single(DomainOperation),
    success: 'The durable operation',
    errors: ['PROFILE_UNAVAILABLE', 'RENDER_FAILED'],
    handle: async (services, call) => ({
      data: await queueExport(services, { ...call.body, ...addressOf(call) }),
    }),
  }),
]

export const clipRoutes = [...documents, ...words, ...renders, ...exports]
