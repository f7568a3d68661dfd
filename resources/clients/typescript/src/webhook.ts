/** What a webhook is sent: read only when it is from the appliance that knows the secret, and not somebody's copy. */
import type { components } from './schema.ts'

export type WebhookEvent = components['schemas']['Event']

/** The request is not from the appliance, or is an old one; answer it with 400 and do nothing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

const OLDEST_SECONDS = 300

export interface WebhookOptions {
  readonly secret: string
  /** The header Cutroom-Signature. */
  readonly signature: string | null | undefined
  /** The body as it came, before any parsing. */
  readonly body: string
  /** Milliseconds since 1970; for tests. */
  readonly now?: number
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** The event in a webhook's request. Throws WebhookRefused when its signature is not right, or is over five minutes old. */
export async function readWebhook(options: WebhookOptions): Promise<WebhookEvent> {
  const { secret, signature, body, now = Date.now() } = options
  const [, time, given] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(signature ?? '') ?? []
  if (time === undefined || given === undefined) throw new WebhookRefused('There is no signature.')
  const text = new TextEncoder()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', text.encode(secret), hmac, false, ['verify'])
  // Compares in constant time.
  const genuine = await crypto.subtle.verify('HMAC', key, bytesOf(given), text.encode(`${time}.${body}`))
  if (!genuine) throw new WebhookRefused('The signature is not of this secret and body.')
  if (Math.abs(now / 1000 - Number(time)) > OLDEST_SECONDS)
    throw new WebhookRefused('The signature is too old.')
  return JSON.parse(body) as WebhookEvent
}
