/** Sends a webhook's request: never to an address that the appliance does not connect to, never following a redirect. */
import type { Agent } from 'undici'
import type { Reach } from '../reachable.ts'

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookSender {
  /** Returns the status of the response; its body is ignored. Throws network errors. */
  send(delivery: WebhookRequest, signal: AbortSignal): Promise<number>
  close(): Promise<void>
}

const CONNECT_SECONDS = 5
const ANSWER_MS = 10_000
const MAX_BYTES = 64 * 1024

/** `policy`: what may be reached. The client is loaded with the first request: an appliance without webhooks has none. */
export function createWebhookSender(policy: Reach): WebhookSender {
  let agent: Promise<Agent> | null = null
  const open = async (): Promise<Agent> => {
    const { guardedAgent } = await import('../../workers/stages/ingest/guard.ts')
    return guardedAgent(policy, CONNECT_SECONDS)
  }
  return {
    send: async ({ url, headers, body }, signal) => {
      const { request } = await import('undici')
      const dispatcher = await (agent ??= open())
      const answer = await request(url, {
        method: 'POST',
        dispatcher,
        headers,
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      })
      await answer.body.dump({ limit: MAX_BYTES })
      return answer.statusCode
    },
    close: async () => (await agent)?.destroy(),
  }
}
