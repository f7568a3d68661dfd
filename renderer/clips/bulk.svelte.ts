/** Renders, downloads or deletes many clips: its progress, and the clips that failed. */
import { call, deleteClip, loadClip, queueRender } from '../state/api.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import { bulk as messages } from '../messages/clips.ts'

export interface Chosen {
  readonly id: string
  readonly title: string
}

export interface BulkState {
  /** Shown before the count: `Rendered`. */
  readonly does: string
  readonly done: number
  readonly of: number
  readonly failed: readonly { readonly title: string; readonly why: string }[]
  readonly running: boolean
}

export interface Bulk {
  /** The latest bulk action; null before the first. */
  readonly state: BulkState | null
  render(clips: readonly Chosen[]): Promise<void>
  download(clips: readonly Chosen[]): Promise<void>
  remove(clips: readonly Chosen[]): Promise<void>
  /** Starts no more clips. Renders that are queued already still run. */
  stop(): void
  dismiss(): void
}

const POLL_MS = 1500
/** Enough to keep the appliance busy, few enough that stopping takes effect soon. */
const AT_ONCE = 4

interface Operation {
  readonly data: { readonly state: string; readonly error?: { readonly message: string } }
}

/** Waits until a render has ended. Rejects with why it failed. */
async function rendered(id: string, isStopped: () => boolean): Promise<void> {
  const { data } = await queueRender(id)
  for (;;) {
    const { data: now } = await call<Operation>(`/operations/${encodeURIComponent(data.id)}`)
    if (now.state === 'succeeded' || isStopped()) return
    if (now.state === 'failed' || now.state === 'cancelled')
      throw new Error(now.error?.message ?? messages.renderCancelled)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Downloads the rendered file under the clip's title. */
async function downloaded({ id, title }: Chosen): Promise<void> {
  const { renderedUrl } = await loadClip(id)
  if (renderedUrl === undefined) throw new Error(messages.notRendered)
  const link = document.createElement('a')
  link.href = renderedUrl
  link.download = `${title}.mp4`
  link.click()
}

export function createBulk(onchange: () => void): Bulk {
  let state = $state.raw<BulkState | null>(null)
  let stopped = false

  async function each(
    does: string,
    clips: readonly Chosen[],
    work: (clip: Chosen) => Promise<unknown>,
  ): Promise<void> {
    if (state?.running === true) return
    stopped = false
    let now: BulkState = { does, done: 0, of: clips.length, failed: [], running: true }
    state = now
    const left = [...clips]
    const worker = async (): Promise<void> => {
      for (let clip = left.shift(); clip !== undefined && !stopped; clip = left.shift()) {
        const { title } = clip
        const why = await work(clip).then(() => null, sentence)
        now = {
          ...now,
          done: now.done + 1,
          failed: why === null ? now.failed : [...now.failed, { title, why }],
        }
        state = now
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    state = { ...now, running: false }
    onchange()
  }

  return {
    get state() {
      return state
    },
    render: (clips) => each(messages.rendered, clips, ({ id }) => rendered(id, () => stopped)),
    download: (clips) => each(messages.downloaded, clips, downloaded),
    remove: (clips) => each(messages.deleted, clips, ({ id }) => deleteClip(id)),
    stop: () => (stopped = true),
    dismiss: () => (state = null),
  }
}
