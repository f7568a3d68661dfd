/** A time limit that leaves no timer behind. */

export interface Deadline {
  readonly signal: AbortSignal
  /** Ends the deadline, whether or not the time is up. */
  readonly end: () => void
}

/**
 * `signal` aborts after `seconds`, unless the deadline is ended before. An AbortSignal.timeout with listeners stays in memory
 * until its time is up, and a download may take hours.
 */
export function deadline(seconds: number): Deadline {
  const overdue = new AbortController()
  const timer = setTimeout(() => overdue.abort(), seconds * 1000)
  return { signal: overdue.signal, end: () => clearTimeout(timer) }
}
