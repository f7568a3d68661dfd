/** A limit of time that leaves nothing behind. */

export interface Deadline {
  readonly signal: AbortSignal
  /** It is over, in time or not. */
  readonly end: () => void
}

/**
 * `signal` is aborted after so many seconds, unless the deadline is ended before. An AbortSignal.timeout that
 * something listens to is kept until its time has come, and a download may take hours.
 */
export function deadline(seconds: number): Deadline {
  const overdue = new AbortController()
  const timer = setTimeout(() => overdue.abort(), seconds * 1000)
  return { signal: overdue.signal, end: () => clearTimeout(timer) }
}
