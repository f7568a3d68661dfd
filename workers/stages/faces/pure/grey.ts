/** PURE. Converts a colour picture to grey. */
import type { Grey } from './types.ts'

/** `bgr`: interleaved bytes, three per pixel. */
export function greyOf(bgr: Uint8Array, width: number, height: number): Grey {
  const pixels = new Uint8Array(width * height)
  for (let pixel = 0; pixel < pixels.length; pixel += 1) {
    const at = pixel * 3
    pixels[pixel] = (29 * (bgr[at] ?? 0) + 150 * (bgr[at + 1] ?? 0) + 77 * (bgr[at + 2] ?? 0)) >> 8
  }
  return { width, height, pixels }
}
