/** A part of a picture in another size, by means: what a canvas does for the code under test. */
import type { Rect } from '../../server/contract/composition.ts'
import type { Pixels } from '../../workers/compositor/cutout/pixels.ts'

export function resized(
  { width, data }: Pixels,
  from: Rect,
  size: { readonly width: number; readonly height: number },
): Pixels {
  const made = new Uint8ClampedArray(size.width * size.height * 4)
  const across = from.width / size.width
  const down = from.height / size.height
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const sum = [0, 0, 0, 0]
      let count = 0
      for (let row = Math.floor(from.y + y * down); row < Math.ceil(from.y + (y + 1) * down); row++)
        for (let at = Math.floor(from.x + x * across); at < Math.ceil(from.x + (x + 1) * across); at++) {
          for (let channel = 0; channel < 4; channel++)
            sum[channel] = (sum[channel] ?? 0) + (data[(row * width + at) * 4 + channel] ?? 0)
          count += 1
        }
      made.set(
        sum.map((value) => value / count),
        (y * size.width + x) * 4,
      )
    }
  return { ...size, data: made }
}
