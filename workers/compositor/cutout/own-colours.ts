/** The colours of a person without those of what stood behind: a soft edge would carry them along. */
import type { Mask, Pixels } from './pixels.ts'

/** Of the longer side: how far inside the person an edge's own colour is looked for. */
const REACH = 1 / 90
const OPAQUE = 0.97

/** Where a pixel is partly the background's, the colour of the person nearby takes its place. */
export function ownColours({ width, height, data }: Pixels, matte: Mask): Pixels {
  const reach = Math.max(2, Math.round(Math.max(width, height) * REACH))
  const own = new Uint8ClampedArray(data)
  // Sums of the certain colours over windows, by sums from the corner on.
  const across = width + 1
  const sums = [0, 1, 2, 3].map(() => new Float64Array(across * (height + 1)))
  for (let y = 0; y < height; y++) {
    const line = [0, 0, 0, 0]
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const counts = matte.data[at]! >= OPAQUE ? 1 : 0
      for (let place = 0; place < 4; place++) {
        line[place]! += counts * (place === 3 ? 1 : data[at * 4 + place]!)
        sums[place]![(y + 1) * across + x + 1] = sums[place]![y * across + x + 1]! + line[place]!
      }
    }
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const opacity = matte.data[at]!
      if (opacity === 0 || opacity >= OPAQUE) continue
      const top = Math.max(0, y - reach)
      const bottom = Math.min(height, y + reach + 1)
      const left = Math.max(0, x - reach)
      const right = Math.min(width, x + reach + 1)
      const over = (place: number): number =>
        sums[place]![bottom * across + right]! -
        sums[place]![top * across + right]! -
        sums[place]![bottom * across + left]! +
        sums[place]![top * across + left]!
      const count = over(3)
      if (count < 1) continue
      for (let channel = 0; channel < 3; channel++)
        own[at * 4 + channel] = data[at * 4 + channel]! * opacity + (over(channel) / count) * (1 - opacity)
    }
  return { width, height, data: own }
}
