/** The picture of a cut-out: a person's own colours up to the soft edge, and the ring around it. */
import { parseColour, WHITE } from '../colour.ts'
import type { CutOutJob } from './cut-out-job.ts'
import { measureDistances } from './distance.ts'
import type { Mask, Pixels } from './pixels.ts'

/**
 * The colours with the matte as their opacity, over a ring around it, with the margin on each side. All are of one size.
 */
export function paintCutOut(
  { ring, margin }: Pick<CutOutJob, 'ring' | 'margin'>,
  colours: Pixels,
  matte: Mask,
): Pixels {
  const { width, height } = matte
  const wide = width + 2 * margin
  const high = height + 2 * margin
  const data = new Uint8ClampedArray(wide * high * 4)
  const form = new Float32Array(wide * high)
  for (let y = 0; y < height; y++)
    form.set(matte.data.subarray(y * width, (y + 1) * width), (y + margin) * wide + margin)
  const away = ring === null ? null : measureDistances(form, wide, high)
  const paint = parseColour(ring?.colour ?? '') ?? WHITE
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const at = y * wide + x
      const own = form[at]!
      const around =
        away === null || ring === null ? 0 : Math.min(1, Math.max(0, ring.width + 0.5 - away[at]!))
      const under = around * paint.alpha * (1 - own)
      const opacity = own + under
      if (opacity <= 0) continue
      const from = ((y - margin) * width + x - margin) * 4
      const mix = (channel: number, ringed: number): number =>
        ((own === 0 ? 0 : own * colours.data[from + channel]!) + under * ringed) / opacity
      data[at * 4] = mix(0, paint.red)
      data[at * 4 + 1] = mix(1, paint.green)
      data[at * 4 + 2] = mix(2, paint.blue)
      data[at * 4 + 3] = opacity * 255
    }
  return { width: wide, height: high, data }
}

/** Of the longer side: how far inside the person an edge's own colour is looked for. */
const REACH = 1 / 90
const OPAQUE = 0.97

/** Where a pixel is partly the background's, the colour of the person nearby takes its place. */
export function replaceEdgeColours({ width, height, data }: Pixels, matte: Mask): Pixels {
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
