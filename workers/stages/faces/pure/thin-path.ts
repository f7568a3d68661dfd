/** Removes points of a path that interpolation restores. PURE. */
import { interpolateFace } from './boxes.ts'
import type { Track } from './types.ts'

type Point = Track['points'][number]

/** Maximum deviation from the original path as a share of the picture: a pixel or two of a small picture. */
const TOLERANCE = 0.002
/** Maximum seconds between points. */
const MAX_SECONDS = 4

/** Removes points that lie on the line between their neighbours, so that an hour of sitting still is a few points. */
export function thinPath(points: readonly Point[]): Point[] {
  const remaining: Point[] = []
  let anchor = 0
  points.forEach((point, place) => {
    const first = points[anchor]
    const next = points[place + 1]
    if (place === 0 || next === undefined || first === undefined) {
      remaining.push(point)
      anchor = place
      return
    }
    const skipped = points.slice(anchor + 1, place + 1)
    const straight =
      next.time - first.time <= MAX_SECONDS && skipped.every((one) => isOnLine(first, next, one))
    if (straight) return
    remaining.push(point)
    anchor = place
  })
  return remaining
}

function isOnLine(from: Point, to: Point, point: Point): boolean {
  const expected = interpolateFace(
    from.face,
    to.face,
    (point.time - from.time) / Math.max(0.001, to.time - from.time),
  )
  return (['x', 'y', 'width', 'height'] as const).every(
    (side) => Math.abs(expected[side] - point.face[side]) <= TOLERANCE,
  )
}
