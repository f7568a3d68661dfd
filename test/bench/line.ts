/** A straight line through points, by least squares. Pure. */

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Line {
  readonly slope: number
  /** Standard error of the slope, were the points independent of each other. */
  readonly error: number
  readonly mean: number
}

/** Slope per unit of x. Of fewer than three points, or points at one x: no slope, with an endless error. */
export function fitLine(points: readonly Point[]): Line {
  const count = points.length
  const mean = points.reduce((sum, { y }) => sum + y, 0) / count
  const middle = points.reduce((sum, { x }) => sum + x, 0) / count
  const spread = points.reduce((sum, { x }) => sum + (x - middle) ** 2, 0)
  if (count < 3 || spread === 0) return { slope: 0, error: Infinity, mean }
  const slope = points.reduce((sum, { x, y }) => sum + (x - middle) * (y - mean), 0) / spread
  const rest = points.reduce((sum, { x, y }) => sum + (y - mean - slope * (x - middle)) ** 2, 0)
  return { slope, error: Math.sqrt(rest / (count - 2) / spread), mean }
}

const SHIFT_HOURS = 8
/** Of the mean, in a shift: what growth is noticed, and what growth a flat line may hide at most. */
const NOTICED = 0.05
const HIDDEN = 0.2

export type Verdict = 'flat' | 'GROWS' | 'too short to tell'

/**
 * What a line over hours says: it grows when its slope is more than twice its error and adds a twentieth of the mean in a
 * shift of eight hours; it is flat when even the slope plus twice its error adds less than a fifth. Else nothing is known.
 */
export function verdictOf({ slope, error, mean }: Line): Verdict {
  if (slope > 2 * error && slope * SHIFT_HOURS >= mean * NOTICED) return 'GROWS'
  return (slope + 2 * error) * SHIFT_HOURS < mean * HIDDEN ? 'flat' : 'too short to tell'
}
