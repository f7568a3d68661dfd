/**
 * A way of one's own from one keyframe to the next: a cubic Bézier curve from 0,0 to 1,1 by its two handles, as CSS has it
 * (https://www.w3.org/TR/css-easing-1/#cubic-bezier-easing-functions). A composition has it as straight pieces between frames,
 * so that nothing that draws or sounds knows of curves. PURE.
 */
import { Type, type Static } from '@sinclair/typebox'
import { describedObject } from '../config-fields.ts'
import type { KeyframePoint } from './keyframes.ts'
import { straightKnots } from './straight-lines.ts'

const alongTime = () => Type.Number({ minimum: 0, maximum: 1 })
/** It may go beyond the values that it leads between, and come back. */
const alongValue = () => Type.Number({ minimum: -2, maximum: 3 })

export const Curve = describedObject(
  'The way to the next one as a cubic Bézier curve, in place of easing: x1 and x2 are shares of the time, y1 and y2 of the way',
  { x1: alongTime(), y1: alongValue(), x2: alongTime(), y2: alongValue() },
)
export type Curve = Static<typeof Curve>

/** One of the four numbers on the way between 0 and 1 that a curve takes with its handles. */
const bezier = (first: number, second: number, t: number): number =>
  3 * first * t * (1 - t) ** 2 + 3 * second * t ** 2 * (1 - t) + t ** 3

const HALVINGS = 40

/** The share of the way at a share of the time. */
export function curveAt({ x1, y1, x2, y2 }: Curve, share: number): number {
  if (share <= 0) return 0
  if (share >= 1) return 1
  // Time never goes back along the curve, so that halving finds the one place.
  let low = 0
  let high = 1
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2
    if (bezier(x1, x2, middle) < share) low = middle
    else high = middle
  }
  return bezier(y1, y2, (low + high) / 2)
}

/** By this share of the way straight pieces may be off. */
const CLOSE = 0.0005

/** The points from `from` on, without `next`, between which the curve is all but straight. */
export function straightPieces(from: KeyframePoint, next: KeyframePoint, curve: Curve): KeyframePoint[] {
  const length = next.frame - from.frame
  const shareAt = (frame: number): number => curveAt(curve, (frame - from.frame) / length)
  const frames = straightKnots(from.frame, next.frame, shareAt, CLOSE).filter((frame) => frame !== next.frame)
  return frames.map((frame) => ({
    frame,
    value: from.value + (next.value - from.value) * shareAt(frame),
    easing: 'linear',
  }))
}
