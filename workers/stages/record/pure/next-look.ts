/** Decides when a playlist is reloaded. PURE. */

/** Playlists are never reloaded more often, whatever they declare. */
const MIN_SECONDS = 0.1
/** Maximum wait, because a declared segment length is the server's claim and the run occupies a place meanwhile. */
const MAX_SECONDS = 30
/** Minimum step towards the maximum length of a recording, which only new segments can reach. */
const LENGTH_STEP_SECONDS = 1

export interface SinceLastReload {
  /** Whether the last reload found something new. */
  readonly hasNew: boolean
  /** Maximum length of a segment as declared by the playlists. */
  readonly targetSeconds: number
  /** Since the last reload began. */
  readonly passedSeconds: number
  /** Until silence ends the recording. */
  readonly patienceSeconds: number
  /** Until the recording reaches its maximum length. */
  readonly lengthSeconds: number
}

/** Seconds to wait as the format demands (a target duration, or half of one if nothing was new), within all limits. */
export function secondsUntilReload(last: SinceLastReload): number {
  const { hasNew, targetSeconds, passedSeconds, patienceSeconds, lengthSeconds } = last
  const wanted = (hasNew ? targetSeconds : targetSeconds / 2) - passedSeconds
  const most = Math.min(MAX_SECONDS, patienceSeconds, Math.max(LENGTH_STEP_SECONDS, lengthSeconds))
  return Math.max(MIN_SECONDS - passedSeconds, 0, Math.min(wanted, most))
}

/**
 * Seconds of silence after which a stream is over: the configured ones, but not fewer than the format allows between two segments.
 * A target duration beyond the maximum wait does not count.
 */
export function silenceAllowed(stallSeconds: number, targetSeconds: number): number {
  return targetSeconds > MAX_SECONDS ? stallSeconds : Math.max(stallSeconds, targetSeconds * 1.5)
}
