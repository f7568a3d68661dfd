/** Sends a webhook's request: never to an address that the appliance does not connect to, never following a redirect. */
import { request } from 'undici'
import { guardedAgent } from '../../workers/stages/ingest/guard.ts'

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookSender {
  /** The status of the answer; what it says is not looked at. Throws what went wrong on the way. */
  send(asked: WebhookRequest, signal: AbortSignal): Promise<number>
  close(): Promise<void>
}

const CONNECT_SECONDS = 5
const ANSWER_MS = 10_000
const MOST_BYTES = 64 * 1024

/** `policy`: config.sources. */
export function createWebhookSender(policy: 'any' | 'public'): WebhookSender {
  const dispatcher = guardedAgent(policy, CONNECT_SECONDS)
  return {
    send: async ({ url, headers, body }, signal) => {
      const answer = await request(url, {
        ...{ method: 'POST', dispatcher, headers, body },
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      })
      await answer.body.dump({ limit: MOST_BYTES })
      return answer.statusCode
    },
    close: () => dispatcher.destroy(),
  }
}
