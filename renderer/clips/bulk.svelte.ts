/** Renders, downloads or deletes many clips: its progress, and the clips that failed. */
import { deleteClip, loadClip, loadOperation, queueRender } from '../state/api.ts'
import { shownCompany } from '../state/company.ts'
import { downloadFile } from '../ui/copy-text.ts'
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

export type Bulk = ReturnType<typeof createBulk>

const POLL_MS = 1500
/** Enough to keep the appliance busy, few enough that stopping takes effect soon. */
const AT_ONCE = 4

/** Waits until a render has ended. Rejects with why it failed. */
async function rendered(id: string, isStopped: () => boolean): Promise<void> {
  const { data } = await queueRender(id)
  for (;;) {
    const now = await loadOperation(data.id)
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
  downloadFile(renderedUrl, `${title}.mp4`)
}

export function createBulk(onchange: () => void) {
  let state = $state.raw<BulkState | null>(null)
  let stopped = false
  let isStopped = (): boolean => stopped

  async function each(
    does: string,
    clips: readonly Chosen[],
    work: (clip: Chosen) => Promise<unknown>,
  ): Promise<void> {
    if (state?.running === true) return
    stopped = false
    const company = shownCompany()
    // The clips of a company that is no longer shown are out of reach.
    isStopped = () => stopped || shownCompany() !== company
    let now: BulkState = { does, done: 0, of: clips.length, failed: [], running: true }
    state = now
    const left = [...clips]
    const worker = async (): Promise<void> => {
      for (let clip = left.shift(); clip !== undefined && !isStopped(); clip = left.shift()) {
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
    /** The latest bulk action; null before the first. */
    get state() {
      return state
    },
    render: (clips: readonly Chosen[]) => each(messages.rendered, clips, ({ id }) => rendered(id, isStopped)),
    download: (clips: readonly Chosen[]) => each(messages.downloaded, clips, downloaded),
    remove: (clips: readonly Chosen[]) => each(messages.deleted, clips, ({ id }) => deleteClip(id)),
    /** Starts no more clips. Renders that are queued already still run. */
    stop: () => void (stopped = true),
    dismiss: () => void (state = null),
  }
}
