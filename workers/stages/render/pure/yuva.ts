/**
 * Converts drawn pixels to what ffmpeg blends: canvas RGBA to planar YUVA 4:2:0, BT.709, limited range. Done here, on the few pixels
 * that changed, so that ffmpeg converts nothing and the pipe carries 2.5 bytes per pixel.
 *
 * ffmpeg's `overlay=alpha=premultiplied` computes luma as `main * (1 - a) + over` and chroma likewise around 128. The luma of `over`
 * therefore includes its share of the black offset (16 * a), and its chroma is linear in the premultiplied colour. Fully transparent
 * pixels are (0, 128, 128, 0). Some versions subtract some luma again, which a Blending makes up for, and others multiply by alpha
 * themselves: those get straight colours.
 */
import type { Rect } from '../../../../server/contract/composition.ts'
import { PLAIN_BLENDING, type Blending } from '../../../media/arguments/dialect.ts'

type YuvaPicture = ReturnType<typeof transparentPicture>

/** One picture of a band of even size; planes follow each other as in rawvideo `yuva420p`. */
export function transparentPicture(width: number, height: number, blending: Blending = PLAIN_BLENDING) {
  const bytes = new Uint8Array((width * height * 5) / 2)
  bytes.fill(transparentLuma(blending), 0, width * height)
  bytes.fill(128, width * height, (width * height * 3) / 2)
  return { width, height, bytes }
}

/** The luma of a pixel that shows nothing; where colours are straight it does not matter. */
const transparentLuma = (blending: Blending): number =>
  blending.kind === 'straight' ? 16 : blending.transparent

// BT.709 limited range: Y = 16a + 0.18259 R + 0.61423 G + 0.06201 B. Colours are multiplied by alpha in 0..255, so the weights are in
// 1/(65536 * 255) of that product, as plain floating-point numbers that V8 keeps in registers.
const Y_R = 0.18259 / 255
const Y_G = 0.61423 / 255
const Y_B = 0.06201 / 255
const BLACK = 16
// Chroma is summed over the four pixels that share a sample.
const U_R = -0.10064 / 1020
const U_G = -0.33857 / 1020
const U_B = 0.43922 / 1020
const V_R = 0.43922 / 1020
const V_G = -0.39894 / 1020
const V_B = -0.04027 / 1020

/** Writes a region with even edges from tightly packed RGBA with straight alpha, as getImageData returns it. */
export function writeRegion(
  picture: YuvaPicture,
  rgba: Uint8Array | Uint8ClampedArray,
  region: Rect,
  blending: Blending = PLAIN_BLENDING,
): void {
  if (blending.kind === 'straight') writeStraight(picture, rgba, region)
  else writePremultiplied(picture, rgba, region, blending)
}

/** The hot loop: written out for four pixels at a time, which share a sample of chroma. */
function writePremultiplied(
  picture: YuvaPicture,
  rgba: Uint8Array | Uint8ClampedArray,
  region: Rect,
  added: { readonly transparent: number; readonly opaque: number },
): void {
  const none = added.transparent
  const perAlpha = (BLACK + added.opaque - added.transparent) / 255
  const half = none + 0.5
  const { width, bytes } = picture
  const pixels = width * picture.height
  const alphaAt = (pixels * 3) / 2
  const stride = region.width * 4
  for (let row = 0; row < region.height; row += 2) {
    let from = row * stride
    let luma = (region.y + row) * width + region.x
    let chroma = pixels + ((region.y + row) / 2) * (width / 2) + region.x / 2
    for (let column = 0; column < region.width; column += 2, from += 8, luma += 2, chroma++) {
      const below = from + stride
      const a0 = rgba[from + 3] as number
      const a1 = rgba[from + 7] as number
      const a2 = rgba[below + 3] as number
      const a3 = rgba[below + 7] as number
      if ((a0 | a1 | a2 | a3) === 0) {
        bytes[luma] = bytes[luma + 1] = bytes[luma + width] = bytes[luma + width + 1] = none
        bytes[alphaAt + luma] = bytes[alphaAt + luma + 1] = 0
        bytes[alphaAt + luma + width] = bytes[alphaAt + luma + width + 1] = 0
        bytes[chroma] = bytes[chroma + pixels / 4] = 128
        continue
      }
      const r0 = (rgba[from] as number) * a0
      const g0 = (rgba[from + 1] as number) * a0
      const b0 = (rgba[from + 2] as number) * a0
      const r1 = (rgba[from + 4] as number) * a1
      const g1 = (rgba[from + 5] as number) * a1
      const b1 = (rgba[from + 6] as number) * a1
      const r2 = (rgba[below] as number) * a2
      const g2 = (rgba[below + 1] as number) * a2
      const b2 = (rgba[below + 2] as number) * a2
      const r3 = (rgba[below + 4] as number) * a3
      const g3 = (rgba[below + 5] as number) * a3
      const b3 = (rgba[below + 6] as number) * a3
      bytes[luma] = Y_R * r0 + Y_G * g0 + Y_B * b0 + perAlpha * a0 + half
      bytes[luma + 1] = Y_R * r1 + Y_G * g1 + Y_B * b1 + perAlpha * a1 + half
      bytes[luma + width] = Y_R * r2 + Y_G * g2 + Y_B * b2 + perAlpha * a2 + half
      bytes[luma + width + 1] = Y_R * r3 + Y_G * g3 + Y_B * b3 + perAlpha * a3 + half
      bytes[alphaAt + luma] = a0
      bytes[alphaAt + luma + 1] = a1
      bytes[alphaAt + luma + width] = a2
      bytes[alphaAt + luma + width + 1] = a3
      const r = r0 + r1 + r2 + r3
      const g = g0 + g1 + g2 + g3
      const b = b0 + b1 + b2 + b3
      bytes[chroma] = U_R * r + U_G * g + U_B * b + 128.5
      bytes[chroma + pixels / 4] = V_R * r + V_G * g + V_B * b + 128.5
    }
  }
}

/**
 * The same with colours that are not multiplied by their alpha. ffmpeg blends chroma by the mean alpha of four pixels, so their
 * chroma is the mean of their colours by alpha: a transparent pixel, whose colour nobody sees, does not change it.
 */
function writeStraight(picture: YuvaPicture, rgba: Uint8Array | Uint8ClampedArray, region: Rect): void {
  const { width, bytes } = picture
  const pixels = width * picture.height
  const alphaAt = (pixels * 3) / 2
  for (let row = 0; row < region.height; row += 2) {
    for (let column = 0; column < region.width; column += 2) {
      let u = 0
      let v = 0
      let alphas = 0
      for (let corner = 0; corner < 4; corner++) {
        const x = column + (corner & 1)
        const y = row + (corner >> 1)
        const from = (y * region.width + x) * 4
        const red = rgba[from] as number
        const green = rgba[from + 1] as number
        const blue = rgba[from + 2] as number
        const alpha = rgba[from + 3] as number
        const luma = (region.y + y) * width + region.x + x
        bytes[luma] = 255 * (Y_R * red + Y_G * green + Y_B * blue) + BLACK + 0.5
        bytes[alphaAt + luma] = alpha
        u += alpha * (U_R * red + U_G * green + U_B * blue)
        v += alpha * (V_R * red + V_G * green + V_B * blue)
        alphas += alpha
      }
      const chroma = pixels + ((region.y + row) / 2) * (width / 2) + (region.x + column) / 2
      // The weights are per 1020, four pixels of alpha 255.
      const scale = alphas === 0 ? 0 : 1020 / alphas
      bytes[chroma] = u * scale + 128.5
      bytes[chroma + pixels / 4] = v * scale + 128.5
    }
  }
}
