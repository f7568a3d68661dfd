/** A straight line through points, by least squares. Pure. */

export interface Point {
  readonly x: number
  readonly y: number
  /** Points of one kind lie on one line; those of another on one with the same slope, at a height of its own. */
  readonly kind?: number
}

export interface Line {
  readonly slope: number
  /** Standard error of the slope, were the points independent of each other. */
  readonly error: number
  readonly mean: number
}

/**
 * Slope per unit of x, within the kinds: a step from one kind to another is no slope. Where no kind has two points at
 * different x, or there are too few to estimate an error: slope 0 with an infinite error.
 */
export function fitLine(points: readonly Point[]): Line {
  const kinds = [...Map.groupBy(points, ({ kind }) => kind).values()]
  const centred = kinds.flatMap((group) => {
    const x = meanOf(group.map((point) => point.x))
    const y = meanOf(group.map((point) => point.y))
    return group.map((point) => ({ x: point.x - x, y: point.y - y }))
  })
  const mean = meanOf(points.map(({ y }) => y))
  const spread = centred.reduce((sum, { x }) => sum + x ** 2, 0)
  const spare = points.length - kinds.length - 1
  if (spare < 1 || spread === 0) return { slope: 0, error: Infinity, mean }
  const slope = centred.reduce((sum, { x, y }) => sum + x * y, 0) / spread
  const rest = centred.reduce((sum, { x, y }) => sum + (y - slope * x) ** 2, 0)
  return { slope, error: Math.sqrt(rest / spare / spread), mean }
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const SHIFT_HOURS = 8
/** Of the mean, in a shift: what growth is noticed, and what growth a flat line may hide at most. */
const NOTICED = 0.05
const HIDDEN = 0.2

export type Verdict = 'flat' | 'GROWS' | 'too short to tell'

/**
 * Verdict about a line over hours: it grows when its slope is more than twice its error and adds a twentieth of the
 * mean in a shift of eight hours; it is flat when even the slope plus twice its error adds less than a fifth. Otherwise
 * the verdict is unknown.
 */
export function verdictOf({ slope, error, mean }: Line): Verdict {
  if (slope > 2 * error && slope * SHIFT_HOURS >= mean * NOTICED) return 'GROWS'
  return (slope + 2 * error) * SHIFT_HOURS < mean * HIDDEN ? 'flat' : 'too short to tell'
}
