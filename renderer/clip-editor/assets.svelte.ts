/** The files of the open clip: progress of their download, stopping and retrying. Shared by the editor and its panels. */
import type { StudioAssets } from '../../server/contract/studio-footage.ts'
import { createAttempt } from '../ui/attempt.svelte.ts'
import { call } from '../state/api.ts'
import { oncePerClip, type OpenClip } from './open-clip.svelte.ts'

export type ClipAsset = StudioAssets['assets'][number]

const POLL_MS = 1000

export type ClipAssets = ReturnType<typeof createAssets>

export const clipAssetsOf = oncePerClip(createAssets)

function createAssets(clip: OpenClip) {
  const path = `/studio/clips/${encodeURIComponent(clip.view.editor.id)}/assets`
  let answer = $state.raw<StudioAssets | null>(null)
  const attempt = createAttempt()
  let timer: ReturnType<typeof setTimeout> | undefined
  let following = 0
  const byUrl = $derived(new Map((answer?.assets ?? []).map((asset) => [asset.url, asset])))
  const waiting = $derived([...byUrl.values()].filter(({ state }) => state === 'waiting').length)

  /** Refreshes the preview when a file has arrived. */
  function applyAssets(next: StudioAssets): void {
    const before = answer === null ? null : byUrl
    answer = next
    const arrived = next.assets.some(
      ({ url, state }) => state !== 'waiting' && before?.get(url)?.state !== state,
    )
    if (before !== null && arrived) clip.refresh()
    clearTimeout(timer)
    if (next.fetching !== null && following > 0) timer = setTimeout(() => void poll(), POLL_MS)
  }
  async function poll(): Promise<void> {
    try {
      applyAssets(await call<StudioAssets>(path))
    } catch {
      // Saving already shows that the appliance does not answer; the next poll tries again.
      if (following > 0) timer = setTimeout(() => void poll(), POLL_MS)
    }
  }
  async function requestAction(action: 'stop' | 'fetch'): Promise<void> {
    await attempt.run(async () =>
      applyAssets(await call<StudioAssets>(`${path}/${action}`, { method: 'POST' })),
    )
  }

  return {
    /** By address; empty while it is not known. */
    get byUrl(): ReadonlyMap<string, ClipAsset> {
      return byUrl
    },
    /** How many are not downloaded yet. */
    get waiting() {
      return waiting
    },
    /** Null: no download is running. */
    get fetching() {
      return answer?.fetching ?? null
    },
    /** Why stopping or requesting again failed. */
    get problem() {
      return attempt.problem
    },
    /** Whether the list of files has been loaded. */
    get known() {
      return answer !== null
    },
    stop: () => requestAction('stop'),
    fetchAgain: () => requestAction('fetch'),
    /** Polls while files are being downloaded; returns what ends it. */
    follow(this: void): () => void {
      following += 1
      void poll()
      return () => {
        following -= 1
        clearTimeout(timer)
      }
    },
  }
}
