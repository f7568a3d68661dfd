/**
 * How a webhook's request is signed: `Cutroom-Signature: t=SECONDS,v1=HEX`, where HEX is the HMAC-SHA256 of
 * `SECONDS.BODY` by the webhook's secret. The receiver makes the same and compares; an old t is a replay.
 */
import { createHmac } from 'node:crypto'

/** The header's value. `seconds`: since the epoch, when it is sent. */
export function signWebhook(secret: string, seconds: number, body: string): string {
  const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`, 'utf8')
  return `t=${seconds},v1=${hmac.digest('hex')}`
}
