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
const SHARE = 0.05

/**
 * Whether nothing grows: the slope is within twice its error, or a shift of eight hours adds less than a twentieth of
 * the mean. With an endless error nothing is known, so it is not flat.
 */
export function isFlat({ slope, error, mean }: Line): boolean {
  if (!Number.isFinite(error)) return false
  return slope <= 2 * error || slope * SHIFT_HOURS < mean * SHARE
}
