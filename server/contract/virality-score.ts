/** The 0 to 100 that people see, and the raw score behind it. */

const CENTRE = 57
const WIDTH = 13
const LOWEST = 1
const HIGHEST = 99

/**
 * Raw scores lie close together, and a person reads 0-100 as a school mark: an S-curve spreads the middle. Fixed, not
 * relative to this video, so that scores of two videos can be compared. 1 to 99, to a tenth.
 */
export function calibrate(raw: number): number {
  const mark = 100 / (1 + Math.exp(-(raw - CENTRE) / WIDTH))
  return Math.round(Math.min(HIGHEST, Math.max(LOWEST, mark)) * 10) / 10
}

/** The raw score for a score of 0 to 100; values outside 1 to 99 are clamped. */
export function rawScore(mark: number): number {
  const share = Math.min(HIGHEST, Math.max(LOWEST, mark)) / 100
  return CENTRE + WIDTH * Math.log(share / (1 - share))
}
