/** Rectangles of the source: of a given shape, around a face, inside the picture. Display pixels, even places. */
import type { Rect } from '../../contract/composition.ts'
import type { Face, Size } from './seen.ts'

/** Height of a face's centre within its view, from the top: the eyes are then in the upper third. */
const FACE_HEIGHT = 0.36

/** A view is at least this much wider than what it shows. */
const AIR = 1.3

/** The largest size of this shape (width to height) that fits. */
export function largest(within: Size, shape: number): Size {
  return within.width / within.height > shape
    ? { width: within.height * shape, height: within.height }
    : { width: within.width, height: within.width / shape }
}

/**
 * Size of a view of this shape in which the face takes `share` of the height: at most `closest` times closer than the
 * largest.
 */
export function sizeAround(face: Face, source: Size, shape: number, share: number, closest: number): Size {
  const most = largest(source, shape)
  const height = Math.min(
    most.height,
    Math.max(most.height / closest, face.height / share, (face.width * AIR) / shape),
  )
  return { width: height * shape, height }
}

/** Left and top of a view of this size that has the face in its middle, in the upper third, inside `bounds`. */
export function placeAround(face: Pick<Face, 'x' | 'y'>, size: Size, bounds: Rect): { x: number; y: number } {
  return {
    x: inside(face.x - size.width / 2, size.width, bounds.x, bounds.width),
    y: inside(face.y - size.height * FACE_HEIGHT, size.height, bounds.y, bounds.height),
  }
}

/** Aligned to even pixels where there is room, so that a resting view needs no resampling. */
export function inside(value: number, length: number, from: number, all: number): number {
  const last = from + Math.max(0, all - length)
  return Math.min(
    Math.max(Math.round(value / 2) * 2, from),
    Math.floor(last / 2) * 2 > from ? Math.floor(last / 2) * 2 : last,
  )
}

export function whole(source: Size): Rect {
  return { x: 0, y: 0, width: source.width, height: source.height }
}

/** The middle of the source in this shape. */
export function middleOf(bounds: Rect, shape: number): Rect {
  const { width, height } = largest(bounds, shape)
  return {
    x: bounds.x + (bounds.width - width) / 2,
    y: bounds.y + (bounds.height - height) / 2,
    width,
    height,
  }
}
