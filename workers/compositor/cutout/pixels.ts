/** Pictures as plain numbers, for finding the person in the foreground. */

/** Four bytes a pixel, row by row: red, green, blue, opacity. As a canvas gives them. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/** One number a pixel, 0 to 1, row by row. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly data: Float32Array
}

/** Mean of each pixel and of so many to each side; there are fewer at the edges. */
export function boxMean(values: Float32Array, width: number, height: number, reach: number): Float32Array {
  const across = new Float32Array(values.length)
  const mean = new Float32Array(values.length)
  for (let y = 0; y < height; y++) meanLine(values, across, y * width, 1, width, reach)
  for (let x = 0; x < width; x++) meanLine(across, mean, x, width, height, reach)
  return mean
}

function meanLine(
  from: Float32Array,
  to: Float32Array,
  start: number,
  step: number,
  count: number,
  reach: number,
): void {
  let sum = 0
  let taken = 0
  for (let at = 0; at < Math.min(reach, count); at++)
    [sum, taken] = [sum + from[start + at * step]!, taken + 1]
  for (let at = 0; at < count; at++) {
    if (at + reach < count) [sum, taken] = [sum + from[start + (at + reach) * step]!, taken + 1]
    if (at - reach - 1 >= 0) [sum, taken] = [sum - from[start + (at - reach - 1) * step]!, taken - 1]
    to[start + at * step] = sum / taken
  }
}
