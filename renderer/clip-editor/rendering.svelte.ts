/** The render of the open clip: progress, stopping, and the finished file. */
import type { DomainOperation } from '../../server/contract/tenant-api/operation.ts'
import { loadOperation, queueRender, RequestRefused, stopOperation } from '../state/api.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import { frame as messages } from '../messages/editor.ts'

const POLL_MS = 700

export type RenderView =
  | { readonly state: 'none' }
  | {
      readonly state: 'going'
      readonly progress: number
      readonly waits: boolean
      readonly stopping: boolean
    }
  /** `old`: the clip was edited since. */
  | { readonly state: 'done'; readonly url: string; readonly old: boolean }
  | { readonly state: 'failed'; readonly problem: string }

function ended({ state, result, error }: DomainOperation, old: boolean): RenderView | null {
  if (state === 'queued' || state === 'running') return null
  if (state === 'cancelled') return { state: 'none' }
  const url = result?.['renderUrl']
  if (state === 'succeeded' && typeof url === 'string') return { state: 'done', url, old }
  return { state: 'failed', problem: error?.message ?? messages.renderFailed }
}

export function createRendering(clipId: string) {
  let view = $state.raw<RenderView>({ state: 'none' })
  let operation: string | null = null
  let closed = false
  let old = false

  /** Null while the appliance does not answer; the render continues when it is back. */
  async function load(id: string): Promise<DomainOperation | null> {
    try {
      return await loadOperation(id)
    } catch (error) {
      if (error instanceof RequestRefused && error.status > 0 && error.status < 500) throw error
      return null
    }
  }

  async function follow(id: string): Promise<void> {
    while (!closed) {
      const now = await load(id)
      const end = now === null ? null : ended(now, old)
      if (end !== null) {
        view = end
        return
      }
      if (now !== null && view.state === 'going')
        view = { ...view, progress: now.progress, waits: now.state === 'queued' }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  return {
    get view() {
      return view
    },
    /** Renders the saved clip, or joins its running render. */
    async start(): Promise<void> {
      old = false
      view = { state: 'going', progress: 0, waits: true, stopping: false }
      try {
        operation = (await queueRender(clipId)).data.id
        await follow(operation)
      } catch (error) {
        view = { state: 'failed', problem: sentence(error) }
      }
      operation = null
    },
    async stop(): Promise<void> {
      if (operation === null || view.state !== 'going') return
      view = { ...view, stopping: true }
      try {
        await stopOperation(operation)
      } catch {
        // It has already ended, or the appliance does not answer: polling finds out.
        if (view.state === 'going') view = { ...view, stopping: false }
      }
    },
    /** Call after an edit: the finished file is outdated. */
    edited(this: void): void {
      old = true
      if (view.state === 'done') view = { ...view, old }
    },
    /** Stops polling; the render continues. */
    close: () => void (closed = true),
  }
}
