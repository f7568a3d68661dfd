/**
 * Live updates: one event stream for the whole page, open while it has followers and the page is visible. Without a
 * stream, followers are called at intervals instead. Visible windows share one where they can (shared-stream.ts); hidden
 * pages close theirs, so that they hold no connection where they cannot.
 */
import type { StreamMessage } from '../../server/contract/events.ts'
import { shownCompany } from './company.ts'
import { openStream, type EventStream } from './shared-stream.ts'

const FALLBACK_MS = 5000
/** Progress events come in bursts; followers are called once for all in this time. */
const GATHER_MS = 250

interface Follower {
  readonly concerns: (message: StreamMessage) => boolean
  readonly onEvents: () => void
  /** Calls `onEvents` soon, once for events that come together. */
  readonly soon: () => void
}

const followers = new Set<Follower>()
let stream: EventStream | null = null
let fallback: ReturnType<typeof setInterval> | undefined

function open(): void {
  stream?.close()
  const company = shownCompany()
  const query = company === null ? '' : `?companyId=${encodeURIComponent(company)}`
  stream = openStream(`/studio/events${query}`, {
    onMessage: (data) => {
      const message = JSON.parse(data) as StreamMessage
      for (const { concerns, soon } of [...followers]) if (concerns(message)) soon()
    },
    // A new stream may not repeat everything that was missed.
    onOpen: () => {
      for (const { soon } of [...followers]) soon()
    },
  })
}

/** Browsers reopen a broken stream by themselves, but not one that was refused. */
const isGivenUp = (): boolean => stream?.state() === 'refused'

function close(): void {
  stream?.close()
  stream = null
}

/** Closes the stream of a hidden page. When the page is visible again, opening it calls every follower. */
function followVisibility(): void {
  if (document.hidden) close()
  else if (stream === null) open()
}

function pollWithoutStream(): void {
  if (document.hidden) return
  if (stream?.state() === 'open') return
  if (stream === null || isGivenUp()) open()
  for (const { onEvents } of [...followers]) onEvents()
}

function leave(follower: Follower): void {
  followers.delete(follower)
  if (followers.size > 0) return
  close()
  clearInterval(fallback)
  document.removeEventListener('visibilitychange', followVisibility)
}

/**
 * Calls `onEvents` at once, soon after each message that `concerns` accepts, and every few seconds while there is no
 * stream; never while the page is hidden, and once when it is visible again. Returns what ends it.
 */
export function follow(concerns: (message: StreamMessage) => boolean, onEvents: () => void): () => void {
  let gathered: ReturnType<typeof setTimeout> | undefined
  const soon = (): void => {
    gathered ??= setTimeout(() => {
      gathered = undefined
      onEvents()
    }, GATHER_MS)
  }
  const follower: Follower = { concerns, onEvents, soon }
  if (followers.size === 0) {
    fallback = setInterval(pollWithoutStream, FALLBACK_MS)
    document.addEventListener('visibilitychange', followVisibility)
  }
  followers.add(follower)
  if (!document.hidden && (stream === null || isGivenUp())) open()
  onEvents()
  return () => {
    clearTimeout(gathered)
    if (followers.has(follower)) leave(follower)
  }
}
