/**
 * How a webhook's request is signed: `Cutroom-Signature: t=SECONDS,v1=HEX`, where HEX is the HMAC-SHA256 of
 * `SECONDS.BODY` by the webhook's secret. The receiver makes the same and compares; an old t is a replay.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

const hmac = (secret: string, seconds: number, body: string): Buffer =>
  createHmac('sha256', secret).update(`${seconds}.${body}`, 'utf8').digest()

/** The header's value. `seconds`: since the epoch, when it is sent. */
export function signWebhook(secret: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${hmac(secret, seconds, body).toString('hex')}`
}

/** Whether a header was made with this secret for this body, not more than `toleranceSeconds` from `seconds`. */
export function isSignedBy(
  secret: string,
  received: { readonly header: string; readonly body: string },
  when: { readonly seconds: number; readonly toleranceSeconds: number },
): boolean {
  const match = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(received.header)
  if (match === null) return false
  const sent = Number(match[1])
  if (Math.abs(when.seconds - sent) > when.toleranceSeconds) return false
  return timingSafeEqual(hmac(secret, sent, received.body), Buffer.from(match[2] ?? '', 'hex'))
}
