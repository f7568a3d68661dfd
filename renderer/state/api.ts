/** The studio's side of the /studio/ routes. Same origin, session cookie; errors carry the server's sentence. */
import type { StudioClip, StudioRun } from '../../server/contract/studio.ts'
import type { WorkflowSummary } from '../../server/contract/workflow.ts'

export class RequestRefused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { credentials: 'same-origin', ...init })
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return body as T
  const said =
    typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : response.statusText
  throw new RequestRefused(response.status, said)
}

export const loadWorkflows = () => call<{ workflows: WorkflowSummary[] }>('/studio/workflows')
export const loadRuns = () => call<{ runs: StudioRun[] }>('/studio/runs')
export const loadClips = (runId: string | null) =>
  call<{ clips: StudioClip[] }>(
    runId === null ? '/studio/clips' : `/studio/clips?runId=${encodeURIComponent(runId)}`,
  )

export const startRun = (body: { workflowId: string; url?: string; uploadId?: string }) =>
  call<{ triggerId: string }>('/studio/runs', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

export const resumeRun = (runId: string) =>
  call<{ triggerId: string }>(`/studio/runs/${encodeURIComponent(runId)}/resume`, { method: 'POST' })

export interface Upload {
  readonly done: Promise<string>
  cancel(): void
}

/** Sends a file as it is, with progress 0 to 1; resolves with the upload's id. fetch has no upload progress. */
export function uploadFile(file: File, onProgress: (fraction: number) => void): Upload {
  const request = new XMLHttpRequest()
  const done = new Promise<string>((resolve, reject) => {
    request.open('PUT', `/studio/uploads?name=${encodeURIComponent(file.name)}`)
    request.responseType = 'json'
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    }
    request.onload = () => {
      const body = request.response as { uploadId?: string; error?: string } | null
      if (request.status === 200 && body?.uploadId !== undefined) resolve(body.uploadId)
      else reject(new RequestRefused(request.status, body?.error ?? 'The upload was refused.'))
    }
    request.onerror = () =>
      reject(new RequestRefused(0, 'The appliance cannot be reached. Is it still running?'))
    request.onabort = () => reject(new RequestRefused(0, 'The upload was cancelled.'))
  })
  request.send(file)
  return { done, cancel: () => request.abort() }
}
