/** Whether a mask is somebody's outline, and not what is found in any picture. */
import type { Rect } from '../../../server/contract/composition.ts'
import { boxMean, type Pixels } from './pixels.ts'

/** Of the box: less is almost nothing, more almost everything. */
const LEAST = 0.04
const MOST = 0.96
/** Below it the outline follows no edge of the picture: measured 0.9 to 1.0 on grain, gradients and plain walls without anybody. */
const MIN_STRENGTH = 1.15

/**
 * Whether a mask takes neither almost nothing nor almost all of `box`, what was drawn around the person, and its border
 * follows edges of the picture.
 */
export function hasClearOutline(picture: Pixels, person: Uint8Array, box: Rect): boolean {
  const { width, height } = picture
  const left = Math.max(0, Math.round(box.x))
  const right = Math.min(width, Math.round(box.x + box.width))
  const top = Math.max(0, Math.round(box.y))
  const bottom = Math.min(height, Math.round(box.y + box.height))
  let inside = 0
  let all = 0
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      inside += person[y * width + x]!
      all += 1
    }
  if (inside < LEAST * all || inside > MOST * all) return false
  return measureEdgeStrength(picture, person) >= MIN_STRENGTH
}

/** Colours are looked at over so many pixels to each side, so that grain is no edge, and compared so many pixels apart. */
const BLUR = 2
const APART = 5

/** How much colours change across the outline, against how much they do anywhere: about 1 where it follows nothing. */
export function measureEdgeStrength({ width, height, data }: Pixels, person: Uint8Array): number {
  const colours = [0, 1, 2].map((channel) =>
    boxMean(
      Float32Array.from(person, (_, at) => data[at * 4 + channel]!),
      width,
      height,
      BLUR,
    ),
  )
  let along = 0
  let borders = 0
  let rest = 0
  let pairs = 0
  const look = (a: number, b: number): void => {
    let away = 0
    for (const plane of colours) away += Math.abs(plane[a]! - plane[b]!)
    if (person[a] === person[b]) [rest, pairs] = [rest + away, pairs + 1]
    else [along, borders] = [along + away, borders + 1]
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (x + APART < width) look(at, at + APART)
      if (y + APART < height) look(at, at + APART * width)
    }
  return borders === 0 || pairs === 0 ? 0 : along / borders / Math.max(1, rest / pairs)
}
