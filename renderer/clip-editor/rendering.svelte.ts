/** The renders of the open clip: what goes on, from this window or another, and the finished files. */
import { same } from '../../server/nodes/editing/clip-edit.ts'
import type { StudioRenders } from '../../server/contract/studio-editor.ts'
import { loadRenders, queueRender, stopOperation } from '../state/api.ts'
import { RequestRefused } from '../state/request-refused.ts'
import { follow } from '../state/live.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import { frame as messages } from '../messages/editor.ts'

const POLL_MS = 1000

export type RenderView =
  | { readonly state: 'none' }
  | {
      readonly state: 'going'
      readonly progress: number
      readonly waits: boolean
      /** When it will be done; null: nobody can tell yet. */
      readonly readyAt: string | null
      readonly stopping: boolean
    }
  | { readonly state: 'failed'; readonly problem: string }

/** A finished file. `old`: the clip is another one since. */
export interface RenderedFile {
  readonly url: string
  readonly old: boolean
}

/** The file that shows a composition, else the newest one; null: there is none. */
export function fileShowing(files: StudioRenders['files'], renderKey: string): RenderedFile | null {
  const file = files.find((one) => one.renderKey === renderKey)
  if (file !== undefined) return { url: file.url, old: false }
  const [newest] = files
  return newest === undefined ? null : { url: newest.url, old: true }
}

/** What is shown of the renders. `before`: what is shown now, for progress never goes back. */
function viewOfRenders({ open, problem }: StudioRenders, before: RenderView): RenderView {
  if (open !== null) {
    const { progress, waits, stopping, readyAt = null } = open
    const furthest = before.state === 'going' ? Math.max(before.progress, progress) : progress
    return { state: 'going', progress: furthest, waits, readyAt, stopping }
  }
  if (problem === null) return { state: 'none' }
  return { state: 'failed', problem: problem === '' ? messages.renderFailed : problem }
}

export function createRendering(clipId: string) {
  let view = $state.raw<RenderView>({ state: 'none' })
  let files = $state.raw<StudioRenders['files']>([])
  let operation: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let starting = false
  let closed = false

  /** While the appliance does not answer nothing changes; the render continues when it is back. */
  async function load(): Promise<void> {
    clearTimeout(timer)
    try {
      const renders = await loadRenders(clipId)
      if (starting) return
      // Another render begins anew.
      const before: RenderView = renders.open?.operationId === operation ? view : { state: 'none' }
      operation = renders.open?.operationId ?? null
      if (!same(files, renders.files)) files = renders.files
      view = viewOfRenders(renders, before)
    } catch (error) {
      if (error instanceof RequestRefused && error.status > 0 && error.status < 500) return
    }
    clearTimeout(timer)
    if (!closed && view.state === 'going') timer = setTimeout(() => void load(), POLL_MS)
  }

  const leave = follow(
    (message) =>
      message.type === 'stream.reset' ||
      (message.type === 'render.progress' && message.clipId === clipId) ||
      ('subjectId' in message &&
        message.subjectId === clipId &&
        // Another title names the file anew.
        (message.type.startsWith('render.') || message.type === 'clip.updated')),
    () => void load(),
  )

  return {
    get view() {
      return view
    },
    get files() {
      return files
    },
    /** Renders the saved clip, or joins its running render. */
    async start(): Promise<void> {
      starting = true
      view = { state: 'going', progress: 0, waits: true, readyAt: null, stopping: false }
      try {
        operation = (await queueRender(clipId)).data.id
      } catch (error) {
        view = { state: 'failed', problem: sentence(error) }
        return
      } finally {
        starting = false
      }
      await load()
    },
    async stop(): Promise<void> {
      if (operation === null || view.state !== 'going') return
      view = { ...view, stopping: true }
      try {
        await stopOperation(operation)
      } catch {
        // It has already ended, or the appliance does not answer: loading finds out.
        if (view.state === 'going') view = { ...view, stopping: false }
      }
      await load()
    },
    /** Stops following; the render continues. */
    close(): void {
      closed = true
      clearTimeout(timer)
      leave()
    },
  }
}
