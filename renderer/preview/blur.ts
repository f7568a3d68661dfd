/**
 * The blur behind a picture that does not fill the output, as the export's `boxblur` makes it: three times, brightness
 * by up to 6 pixels and colour, which has half as many, by as many of its own; then darkened to seven tenths.
 */
const TIMES = 3
const DARKER = 0.7

/** RGBA pixels, in place. */
export function boxBlur(pixels: Uint8ClampedArray, width: number, height: number): void {
  const radius = Math.min(6, Math.floor(Math.min(width, height) / 4))
  const count = width * height
  const y = new Float32Array(count)
  const cb = new Float32Array(count)
  const cr = new Float32Array(count)
  for (let at = 0; at < count; at++) {
    const red = pixels[4 * at] ?? 0
    const green = pixels[4 * at + 1] ?? 0
    const blue = pixels[4 * at + 2] ?? 0
    const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    y[at] = luma
    cb[at] = blue - luma
    cr[at] = red - luma
  }
  blurPlane(y, width, height, radius)
  blurPlane(cb, width, height, 2 * radius)
  blurPlane(cr, width, height, 2 * radius)
  for (let at = 0; at < count; at++) {
    const luma = (y[at] ?? 0) * DARKER
    const blue = luma + (cb[at] ?? 0)
    const red = luma + (cr[at] ?? 0)
    pixels[4 * at] = red
    pixels[4 * at + 1] = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
    pixels[4 * at + 2] = blue
  }
}

function blurPlane(plane: Float32Array, width: number, height: number, radius: number): void {
  for (let time = 0; time < TIMES; time++) {
    for (let row = 0; row < height; row++) blurLine(plane, row * width, 1, width, radius)
  }
  for (let time = 0; time < TIMES; time++) {
    for (let column = 0; column < width; column++) blurLine(plane, column, width, height, radius)
  }
}

/** One line of the plane; past its ends it is mirrored. */
function blurLine(plane: Float32Array, from: number, step: number, length: number, radius: number): void {
  const line = Float32Array.from({ length }, (_, at) => plane[from + at * step] ?? 0)
  const mirrored = (at: number): number => {
    const inside = at < 0 ? -at : at >= length ? 2 * length - 1 - at : at
    return line[Math.min(length - 1, Math.max(0, inside))] ?? 0
  }
  let sum = 0
  for (let at = -radius; at <= radius; at++) sum += mirrored(at)
  for (let at = 0; at < length; at++) {
    plane[from + at * step] = sum / (2 * radius + 1)
    sum += mirrored(at + radius + 1) - mirrored(at - radius)
  }
}
