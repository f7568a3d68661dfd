/** What happens on the appliance, as it happens. Where the stream cannot be had, what is shown is asked for now and then. */
import type { StreamMessage } from '../../server/contract/events.ts'

const FALLBACK_MS = 5000
/** Progress comes in bursts; once in so long is enough for people. */
const GATHER_MS = 250

/**
 * Calls `onNews` at once, soon after each message that `concerns` says yes to, and every few seconds while there is no
 * stream. Answers what ends it.
 */
export function follow(concerns: (message: StreamMessage) => boolean, onNews: () => void): () => void {
  let gathered: ReturnType<typeof setTimeout> | undefined
  const news = (): void => {
    gathered ??= setTimeout(() => {
      gathered = undefined
      onNews()
    }, GATHER_MS)
  }
  const stream = new EventSource('/studio/events')
  stream.onmessage = (event: MessageEvent<string>) => {
    if (concerns(JSON.parse(event.data) as StreamMessage)) news()
  }
  // What happened while the stream was away may be more than what it tells again.
  stream.onopen = news
  const fallback = setInterval(() => {
    if (stream.readyState !== EventSource.OPEN) onNews()
  }, FALLBACK_MS)
  onNews()
  return () => {
    stream.close()
    clearInterval(fallback)
    clearTimeout(gathered)
  }
}
