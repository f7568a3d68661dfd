/**
 * What happens on the appliance, as it happens: one stream for all of the page, as long as somebody follows it and it can be
 * seen. Where it cannot be had, what is shown is asked for now and then.
 *
 * A browser gives an origin six connections, whatever the number of its tabs, and a stream holds one: six tabs that nobody
 * looks at would keep the seventh from loading, and all of them from saving.
 */
import type { StreamMessage } from '../../server/contract/events.ts'

const FALLBACK_MS = 5000
/** Progress comes in bursts; once in so long is enough for people. */
const GATHER_MS = 250

interface Follower {
  readonly concerns: (message: StreamMessage) => boolean
  readonly onNews: () => void
  /** Tells soon, once for what comes together. */
  readonly soon: () => void
}

const followers = new Set<Follower>()
let stream: EventSource | null = null
let fallback: ReturnType<typeof setInterval> | undefined

function open(): void {
  stream?.close()
  stream = new EventSource('/studio/events')
  stream.onmessage = (event: MessageEvent<string>) => {
    const message = JSON.parse(event.data) as StreamMessage
    for (const { concerns, soon } of [...followers]) if (concerns(message)) soon()
  }
  // What happened while the stream was away may be more than what it tells again.
  stream.onopen = () => {
    for (const { soon } of [...followers]) soon()
  }
}

/** A browser gives a stream up that was refused; one that broke off it opens by itself. */
const isGivenUp = (): boolean => stream?.readyState === EventSource.CLOSED

function close(): void {
  stream?.close()
  stream = null
}

/** Out of sight nothing is followed. Back in sight the stream's opening tells everybody, as what was missed is not known. */
function seenOrNot(): void {
  if (document.hidden) close()
  else if (stream === null) open()
}

function lookAround(): void {
  if (document.hidden) return
  if (stream?.readyState === EventSource.OPEN) return
  if (stream === null || isGivenUp()) open()
  for (const { onNews } of [...followers]) onNews()
}

function leave(follower: Follower): void {
  followers.delete(follower)
  if (followers.size > 0) return
  close()
  clearInterval(fallback)
  document.removeEventListener('visibilitychange', seenOrNot)
}

/**
 * Calls `onNews` at once, soon after each message that `concerns` says yes to, and every few seconds while there is no
 * stream; never while the page is out of sight, and once when it is back. Answers what ends it.
 */
export function follow(concerns: (message: StreamMessage) => boolean, onNews: () => void): () => void {
  let gathered: ReturnType<typeof setTimeout> | undefined
  const soon = (): void => {
    gathered ??= setTimeout(() => {
      gathered = undefined
      onNews()
    }, GATHER_MS)
  }
  const follower: Follower = { concerns, onNews, soon }
  if (followers.size === 0) {
    fallback = setInterval(lookAround, FALLBACK_MS)
    document.addEventListener('visibilitychange', seenOrNot)
  }
  followers.add(follower)
  if (!document.hidden && (stream === null || isGivenUp())) open()
  onNews()
  return () => {
    clearTimeout(gathered)
    if (followers.has(follower)) leave(follower)
  }
}
