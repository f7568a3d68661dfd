/** Where a measured face is at a moment: the one reading of a track's points. */
import type { FaceTrack } from '../../contract/clip-faces.ts'
import type { Rect } from '../../contract/composition.ts'

/**
 * The track's face at a source second, shares of the source; null: not there. A track ends where its face is lost, so that
 * between two of its points the face is there however far apart they are: points on a straight way are left out.
 * `around`: seconds before the first and after the last point for which it is taken to be where it is found there.
 */
export function faceAt({ points }: Pick<FaceTrack, 'points'>, second: number, around: number): Rect | null {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.[0] ?? 0) <= second) low = middle + 1
    else high = middle
  }
  const before = points[low - 1]
  const after = points[low]
  const only = before ?? after
  if (before === undefined || after === undefined) {
    if (only === undefined || Math.abs(only[0] - second) > around) return null
    return { x: only[1], y: only[2], width: only[3], height: only[4] }
  }
  const share = (second - before[0]) / Math.max(1e-6, after[0] - before[0])
  const between = (at: 1 | 2 | 3 | 4): number => before[at] + (after[at] - before[at]) * share
  return { x: between(1), y: between(2), width: between(3), height: between(4) }
}
