/** When a playlist is asked for again. PURE. */

/** Playlists are never asked for more often, whatever they say. */
const MIN_SECONDS = 0.1
/** Nor is one waited for longer: what it says of its segments is the server's word, and a run place is held meanwhile. */
const MAX_SECONDS = 30
/** The end of the length is not waited for in smaller steps: only what comes can reach it. */
const LENGTH_STEP_SECONDS = 1

export interface SinceLastReload {
  /** The last look found something new. */
  readonly news: boolean
  /** What the playlists say that a segment lasts at most. */
  readonly targetSeconds: number
  /** Since the last look began. */
  readonly passedSeconds: number
  /** Until silence ends the recording. */
  readonly patienceSeconds: number
  /** Until the recording is as long as it may become. */
  readonly lengthSeconds: number
}

/** Seconds from now, as the format wants it (a target, or half of one after a look in vain), and within every limit. */
export function secondsUntilReload(last: SinceLastReload): number {
  const { news, targetSeconds, passedSeconds, patienceSeconds, lengthSeconds } = last
  const wanted = (news ? targetSeconds : targetSeconds / 2) - passedSeconds
  const most = Math.min(MAX_SECONDS, patienceSeconds, Math.max(LENGTH_STEP_SECONDS, lengthSeconds))
  return Math.max(MIN_SECONDS - passedSeconds, 0, Math.min(wanted, most))
}

/**
 * Seconds of silence after which a stream is over: those that are configured, but no fewer than the format lets pass
 * between two segments. A target beyond what is waited for does not count.
 */
export function silenceAllowed(stallSeconds: number, targetSeconds: number): number {
  return targetSeconds > MAX_SECONDS ? stallSeconds : Math.max(stallSeconds, targetSeconds * 1.5)
}
