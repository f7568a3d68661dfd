/** Overlap of face boxes. PURE. */
import type { Face } from './types.ts'

type Box = Pick<Face, 'x' | 'y' | 'width' | 'height'>

/** Intersection over union of two boxes, 0 to 1. */
export function overlapOf(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (width <= 0 || height <= 0) return 0
  const common = width * height
  return common / (a.width * a.height + b.width * b.height - common)
}

/** Keeps one box per face: the best scored of those that overlap by more than `limit`. */
export function suppressOverlaps(faces: readonly Face[], limit: number): Face[] {
  const best: Face[] = []
  for (const face of faces.toSorted((a, b) => b.score - a.score)) {
    if (best.every((other) => overlapOf(face, other) <= limit)) best.push(face)
  }
  return best
}

/** The face interpolated by `t` between `a` and `b`. */
export function interpolateFace(a: Face, b: Face, t: number): Face {
  const mix = (from: number, to: number): number => from + (to - from) * t
  return {
    x: mix(a.x, b.x),
    y: mix(a.y, b.y),
    width: mix(a.width, b.width),
    height: mix(a.height, b.height),
    score: Math.min(a.score, b.score),
    landmarks: a.landmarks.map((value, place) => mix(value, b.landmarks[place] ?? value)),
  }
}
