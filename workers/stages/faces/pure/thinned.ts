/** Fewer points for the same path. PURE. */
import { between } from './boxes.ts'
import type { Track } from './types.ts'

type Point = Track['points'][number]

/** A face may be this far from where the path has it, in shares of the picture: a pixel or two of a small picture. */
const TOLERANCE = 0.002
/** Seconds between points at most. */
const LONGEST = 4

/** Leaves out points that lie on the way between their neighbours: a person who sits still for an hour is few points. */
export function thinned(points: readonly Point[]): Point[] {
  const kept: Point[] = []
  let anchor = 0
  points.forEach((point, place) => {
    const first = points[anchor]
    const next = points[place + 1]
    if (place === 0 || next === undefined || first === undefined) {
      kept.push(point)
      anchor = place
      return
    }
    const skipped = points.slice(anchor + 1, place + 1)
    const straight = next.time - first.time <= LONGEST && skipped.every((one) => onTheWay(first, next, one))
    if (straight) return
    kept.push(point)
    anchor = place
  })
  return kept
}

function onTheWay(from: Point, to: Point, point: Point): boolean {
  const expected = between(
    from.face,
    to.face,
    (point.time - from.time) / Math.max(0.001, to.time - from.time),
  )
  return (['x', 'y', 'width', 'height'] as const).every(
    (side) => Math.abs(expected[side] - point.face[side]) <= TOLERANCE,
  )
}
