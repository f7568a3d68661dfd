/** Whether what was found is an outline at all. */
import type { Rect } from '../../../server/contract/composition.ts'
import type { Pixels } from './pixels.ts'

/** Of the box: less is almost nothing, more almost everything. */
const [LEAST, MOST] = [0.04, 0.96] as const

export function standsOut(picture: Pixels, person: Uint8Array, box: Rect): boolean {
  const { width, height } = picture
  const [left, right] = [Math.max(0, Math.round(box.x)), Math.min(width, Math.round(box.x + box.width))]
  const [top, bottom] = [Math.max(0, Math.round(box.y)), Math.min(height, Math.round(box.y + box.height))]
  let [inside, all] = [0, 0]
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      inside += person[y * width + x]!
      all += 1
    }
  return inside >= LEAST * all && inside <= MOST * all
}

/** How strong the picture's own edges are along the outline, against the rest of the picture: about 1 where it follows none. */
export function edgeStrength({ width, height, data }: Pixels, person: Uint8Array): number {
  let [along, borders, rest, pairs] = [0, 0, 0, 0]
  const look = (a: number, b: number): void => {
    let away = 0
    for (let channel = 0; channel < 3; channel++)
      away += Math.abs(data[a * 4 + channel]! - data[b * 4 + channel]!)
    if (person[a] === person[b]) [rest, pairs] = [rest + away, pairs + 1]
    else [along, borders] = [along + away, borders + 1]
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (x + 1 < width) look(at, at + 1)
      if (y + 1 < height) look(at, at + width)
    }
  return borders === 0 || pairs === 0 ? 0 : along / borders / Math.max(0.5, rest / pairs)
}
