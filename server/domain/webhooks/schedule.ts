/** PURE: when a delivery that failed is tried again. */

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 3_600_000
/** Pauses after the first try, the second, and so on: about a day in all. */
const PAUSES = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR]

export const MAX_ATTEMPTS = PAUSES.length + 1

export interface Answered {
  /** HTTP status; null: there was no answer. */
  readonly status: number | null
  /** One sentence where it did not work. */
  readonly error: string | null
}

export type DeliveryFate =
  | { readonly state: 'delivered' }
  | { readonly state: 'queued'; readonly availableAt: number }
  /** `gone`: the receiver responded 410, so the webhook is paused. */
  | { readonly state: 'dead'; readonly gone: boolean }

/** What becomes of a delivery after its `attempts`-th try (1 is the first). */
export function fateOf({ status }: Answered, attempts: number, now: number): DeliveryFate {
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered' }
  if (status === 410) return { state: 'dead', gone: true }
  const pause = PAUSES[attempts - 1]
  return pause === undefined ? { state: 'dead', gone: false } : { state: 'queued', availableAt: now + pause }
}
