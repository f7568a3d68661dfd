/** The studio's side of the /studio/ routes. Same origin, session cookie; errors carry the server's sentence. */
import type {
  StudioComposition,
  StudioDraft,
  StudioEditor,
  StudioRenders,
  StudioSave,
  StudioSaved,
} from '../../server/contract/studio-editor.ts'
import {
  COMPANY_HEADER,
  type StudioCaptioned,
  type StudioClip,
  type StudioListedRun,
  type StudioRunRequest,
  type StudioSession,
} from '../../server/contract/studio.ts'
import type { ClipsMeta, ClipSummary } from '../../server/contract/tenant-api/clip.ts'
import type { SearchMeta, SearchResult } from '../../server/contract/tenant-api/search.ts'
import type { DomainOperation } from '../../server/contract/tenant-api/operation.ts'
import type { EditedWorkflow, WorkflowSummary } from '../../server/contract/workflow.ts'
import { shownCompany } from './company.ts'
import { registerFontsFor } from './script-fonts.ts'
import { RequestRefused } from './request-refused.ts'
import { recordResponse, refusalSentence, SESSION_PATH } from './signed-out.ts'
import { commonMessages } from '../messages/common.ts'
import { requests as messages } from '../messages/shell.ts'

/** One call of the appliance. Throws RequestRefused. */
export async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  return (await callTagged<T>(path, init)).body
}

/** The same, with the revision of what was answered: what If-Match takes; empty where there is none. */
export async function callTagged<T>(
  path: string,
  init: RequestInit = {},
): Promise<{ body: T; etag: string }> {
  const response = await send(path, init)
  const text = await response.text().catch(() => {
    // The connection was lost on the way.
    if (response.ok) throw new RequestRefused(0, commonMessages.applianceUnreachable)
    return ''
  })
  const body = parsed(text)
  if (response.ok) return { body: body as T, etag: response.headers.get('etag') ?? '' }
  throw refusalOf(response, body)
}

/** Sends a request for the company that is shown; whatever is answered is returned. Throws RequestRefused. */
async function send(path: string, init: RequestInit): Promise<Response> {
  const company = shownCompany()
  const headers = new Headers(init.headers)
  if (company !== null) headers.set(COMPANY_HEADER, company)
  const response = await fetch(path, { credentials: 'same-origin', ...init, headers }).catch(() => {
    throw new RequestRefused(0, commonMessages.applianceUnreachable)
  })
  recordResponse(path, response.status)
  return response
}

function refusalOf({ status, statusText }: Response, body: unknown): RequestRefused {
  return new RequestRefused(status, refusalSentence(status, sentenceOf(body) ?? statusText))
}

/** A file that only this session may read, with the name that the appliance gives it. Throws RequestRefused. */
export async function callFile(path: string): Promise<{ blob: Blob; name: string }> {
  const response = await send(path, {})
  if (!response.ok) throw refusalOf(response, parsed(await response.text()))
  const name = /filename\*=UTF-8''([^;]+)/u.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { blob: await response.blob(), name: decodeURIComponent(name ?? '') }
}

/** Null for what is no JSON. */
function parsed(text: string): unknown {
  registerFontsFor(text)
  try {
    return JSON.parse(text)
  } catch {
    // An answer that is not the appliance's own; its status says enough.
    return null
  }
}

/** The sentence of a refusal: `{error: "..."}` of the studio's routes, `{error: {message}}` of the domain API. */
function sentenceOf(body: unknown): string | null {
  const { error } = (body ?? {}) as { error?: unknown }
  if (typeof error === 'string') return error
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : null
}

/** A request with a JSON body. */
export const json = (
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

export const loadSession = () => call<StudioSession>(SESSION_PATH)
export const loadWorkflows = () => call<{ workflows: WorkflowSummary[] }>('/studio/workflows')
export const loadRuns = () => call<{ runs: StudioListedRun[] }>('/studio/runs')
/** A run to start; of `url`, `uploadId` and `sample` exactly one is given. */
export type NewRun = Omit<StudioRunRequest, 'companyId'>

/** `companyId`: of the company that its files were uploaded to, whichever the window shows by now. */
export const startRun = (body: NewRun, companyId = shownCompany()) =>
  call<{ triggerId: string }>(
    '/studio/runs',
    json('POST', companyId === null ? body : { ...body, companyId }),
  )

/** Removes a run that failed without a clip. */
export const removeRun = (runId: string) =>
  call<unknown>(`/studio/runs/${encodeURIComponent(runId)}`, { method: 'DELETE' })

/** The words of an uploaded subtitle file in place of those of a clip, or of all clips of a run. */
export const replaceWords = (what: 'clips' | 'runs', id: string, uploadId: string) =>
  call<StudioCaptioned>(`/studio/${what}/${encodeURIComponent(id)}/captions`, json('POST', { uploadId }))

export const cancelRun = (runId: string) =>
  call<{ triggerId: string }>(`/studio/runs/${encodeURIComponent(runId)}/cancel`, { method: 'POST' })

export const resumeRun = (runId: string) =>
  call<{ triggerId: string }>(`/studio/runs/${encodeURIComponent(runId)}/resume`, { method: 'POST' })

export const clipPath = (id: string): string => `/studio/clips/${encodeURIComponent(id)}`

/** One clip, with why it was picked. */
export const loadClip = (id: string) => call<StudioClip>(clipPath(id))

/** Deletes a clip for good. */
export const deleteClip = (id: string) => call<unknown>(clipPath(id), { method: 'DELETE' })

/** Queues a render of the clip as it is saved, or joins the one that is under way: its operation. */
export const queueRender = (id: string) =>
  call<{ data: { id: string } }>(
    `/clips/${encodeURIComponent(id)}/render-jobs`,
    json('POST', {}, { 'idempotency-key': newKey() }),
  )

/** What was rendered of a clip, and what is being rendered. */
export const loadRenders = (id: string) => call<StudioRenders>(`${clipPath(id)}/renders`)

export const openEditor = (id: string) => call<StudioEditor>(`${clipPath(id)}/editor`)

/** Names the voice of a speaker of a clip, so that it is recognised in later videos. */
export const nameVoice = (clipId: string, speaker: number, name: string) =>
  call<unknown>('/studio/voices', json('POST', { clipId, speaker, name }))

/** One page of filtered clips; `meta` has counts where the query asks for facets. */
export const listClips = (query: URLSearchParams) =>
  call<{ data: ClipSummary[]; meta: ClipsMeta }>(`/clips?${query.toString()}`)

/** Tells the appliance that a search follows: the model of meaning takes a second to load. */
export const prepareSearch = () => call<unknown>('/studio/search-index?soon=true')

/** Clips and runs in which something is spoken, by words and by meaning. */
export const searchSpoken = (query: string, limit: number) => {
  const search = new URLSearchParams({ query, limit: String(limit) })
  for (const type of ['clip', 'run']) search.append('types', type)
  return call<{ data: SearchResult[]; meta: SearchMeta }>(`/search?${search.toString()}`)
}

/** The composition of the clip with edits that are not saved. */
export const composeDraft = (id: string, changes: StudioDraft) =>
  call<StudioComposition>(`${clipPath(id)}/compose`, json('POST', changes))

/** Saves edits, made on the version with their ETag; RequestRefused with status 412 when there is a newer one. */
export const saveClip = (id: string, changes: StudioSave) =>
  call<StudioSaved>(clipPath(id), json('PATCH', changes))

export const loadOperation = async (id: string): Promise<DomainOperation> =>
  (await call<{ data: DomainOperation }>(`/operations/${encodeURIComponent(id)}`)).data

/** Cancels a render; runs have a route of their own. */
export const stopOperation = (id: string) =>
  call<unknown>(`/studio/operations/${encodeURIComponent(id)}/cancel`, { method: 'POST' })

const workflowPath = (id: string): string => `/studio/workflows/${encodeURIComponent(id)}`

export const openWorkflow = (id: string) => call<EditedWorkflow>(workflowPath(id))

export const createWorkflow = (file: unknown) =>
  call<{ workflowId: string }>('/studio/workflows', json('POST', { file }))

/** RequestRefused with status 412 when it was saved by somebody else since this revision. */
export const saveWorkflow = (id: string, version: { revision: number; file: unknown }) =>
  call<{ revision: number }>(workflowPath(id), json('PUT', version))

export const deleteWorkflow = (id: string) => call<{ deleted: true }>(workflowPath(id), { method: 'DELETE' })

export interface Upload {
  readonly done: Promise<string>
  cancel(): void
}

/** Sends a file as it is, with progress 0 to 1; resolves with the upload's id. fetch has no upload progress. */
export function uploadFile(
  file: File,
  onProgress: (fraction: number) => void,
  companyId = shownCompany(),
): Upload {
  const company = companyId === null ? '' : `&companyId=${encodeURIComponent(companyId)}`
  const request = new XMLHttpRequest()
  const done = new Promise<string>((resolve, reject) => {
    request.open('PUT', `/studio/uploads?name=${encodeURIComponent(file.name)}${company}`)
    request.responseType = 'json'
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    }
    request.onload = () => {
      const body = request.response as { uploadId?: string; error?: string } | null
      const { status } = request
      recordResponse('/studio/uploads', status)
      if (status === 200 && body?.uploadId !== undefined) resolve(body.uploadId)
      else reject(new RequestRefused(status, refusalSentence(status, body?.error ?? messages.uploadRefused)))
    }
    request.onerror = () => reject(new RequestRefused(0, commonMessages.applianceUnreachable))
    request.onabort = () => reject(new RequestRefused(0, messages.uploadCancelled))
  })
  request.send(file)
  return { done, cancel: () => request.abort() }
}

/**
 * A unique key, for idempotency and for lists. `crypto.randomUUID` is missing on plain HTTP pages, as a studio in
 * a local network may be; `getRandomValues` is not.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
