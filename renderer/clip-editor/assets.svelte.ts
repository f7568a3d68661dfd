/** The files of the open clip, as they come: how far fetching is, and its stopping. One for the page and its panels. */
import type { StudioAssets } from '../../server/contract/studio-assets.ts'
import { createAttempt } from '../ui/attempt.svelte.ts'
import { call } from '../state/api.ts'
import { oncePerClip } from './once-per-clip.ts'
import type { OpenClip } from './open-clip.svelte.ts'

export type ClipAsset = StudioAssets['assets'][number]

const ASK_AGAIN_MS = 1000

export interface ClipAssets {
  /** By address; empty while it is not known. */
  readonly byUrl: ReadonlyMap<string, ClipAsset>
  /** How many are waited for. */
  readonly waiting: number
  /** Null: nobody fetches what is waited for. */
  readonly fetching: StudioAssets['fetching']
  /** A sentence when stopping or asking again did not work. */
  readonly problem: string | null
  /** Whether the appliance has answered for the clip as it is saved. */
  readonly known: boolean
  stop(): Promise<void>
  fetchAgain(): Promise<void>
  /** Asks, and goes on asking while something is fetched. Answers what ends it. */
  readonly follow: () => () => void
}

export const clipAssetsOf = oncePerClip(createAssets)

function createAssets(clip: OpenClip): ClipAssets {
  const path = `/studio/clips/${encodeURIComponent(clip.view.editor.id)}/assets`
  let answer = $state.raw<StudioAssets | null>(null)
  const attempt = createAttempt()
  let timer: ReturnType<typeof setTimeout> | undefined
  let following = 0
  const byUrl = $derived(new Map((answer?.assets ?? []).map((asset) => [asset.url, asset])))
  const waiting = $derived([...byUrl.values()].filter(({ state }) => state === 'waiting').length)

  /** What has come in is in the picture from now on. */
  function applyAssets(next: StudioAssets): void {
    const before = answer === null ? null : byUrl
    answer = next
    const arrived = next.assets.some(
      ({ url, state }) => state !== 'waiting' && before?.get(url)?.state !== state,
    )
    if (before !== null && arrived) clip.refresh()
    clearTimeout(timer)
    if (next.fetching !== null && following > 0) timer = setTimeout(() => void poll(), ASK_AGAIN_MS)
  }
  async function poll(): Promise<void> {
    try {
      applyAssets(await call<StudioAssets>(path))
    } catch {
      // The clip's own saving says that nobody answers; it is asked again.
      if (following > 0) timer = setTimeout(() => void poll(), ASK_AGAIN_MS)
    }
  }
  async function requestAction(action: 'stop' | 'fetch'): Promise<void> {
    await attempt.run(async () =>
      applyAssets(await call<StudioAssets>(`${path}/${action}`, { method: 'POST' })),
    )
  }

  return {
    get byUrl() {
      return byUrl
    },
    get waiting() {
      return waiting
    },
    get fetching() {
      return answer?.fetching ?? null
    },
    get problem() {
      return attempt.problem
    },
    get known() {
      return answer !== null
    },
    stop: () => requestAction('stop'),
    fetchAgain: () => requestAction('fetch'),
    follow() {
      following += 1
      void poll()
      return () => {
        following -= 1
        clearTimeout(timer)
      }
    },
  }
}
