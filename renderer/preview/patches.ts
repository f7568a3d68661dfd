/** The source's picture without the logos that are burned into it, as the export shows it. */
import { sourceFrameOn, type Composition } from '../../server/contract/composition.ts'
import type { VideoPicture } from '../../workers/compositor/layers/layer.ts'
import { PATCH_RIM, placedPatches, type PlacedPatch } from '../../workers/compositor/patch-place.ts'
import { openContext } from './canvas.ts'

export type PatchPainter = (frame: number, picture: VideoPicture) => VideoPicture

/**
 * Gives the picture back as it is where nothing is to be replaced; otherwise one of the source's size that is good until
 * the next call.
 */
export function patchPainter(composition: Composition): PatchPainter {
  const patches = placedPatches(composition.source)
  if (patches.length === 0) return (_frame, picture) => picture
  const { width, height } = composition.source
  const context = openContext(new OffscreenCanvas(width, height))
  context.imageSmoothingEnabled = true
  context.imageSmoothingQuality = 'high'
  return (frame, picture) => {
    // The tail holds the last picture as it was.
    const at = sourceFrameOn(composition, frame)
    const shown = patches.filter(({ patch }) => patch.startFrame <= at && at < patch.endFrame)
    if (shown.length === 0) return picture
    context.drawImage(picture.image as HTMLVideoElement, 0, 0, width, height)
    for (const one of shown) replace(context, one)
    return { image: context.canvas, width, height }
  }
}

function replace(context: OffscreenCanvasRenderingContext2D, { place, strip }: PlacedPatch): void {
  const { x, y, width, height } = place
  if (strip !== null) {
    context.drawImage(context.canvas, strip.x, strip.y, strip.width, strip.height, x, y, width, height)
    return
  }
  const wide = width + 2 * PATCH_RIM
  const high = height + 2 * PATCH_RIM
  const pixels = context.getImageData(x - PATCH_RIM, y - PATCH_RIM, wide, high)
  blendPatch(pixels.data, wide, high)
  context.putImageData(pixels, x - PATCH_RIM, y - PATCH_RIM)
}

/** Pixels around the place. */
const RIM = 2

/**
 * Replaces a burned-in logo as the export's `delogo` does: every pixel is a mean of the four border pixels straight left,
 * right, above and below of it, the nearer the more. `pixels`: RGBA with a rim of two, changed in place; sizes are even.
 */
export function blendPatch(pixels: Uint8ClampedArray, width: number, height: number): void {
  const [y, cb, cr] = planesOf(pixels, width, height)
  const halfWidth = width / 2
  const halfHeight = height / 2
  blendPlane(y, width, { left: RIM - 1, top: RIM - 1, right: width - RIM, bottom: height - RIM })
  for (const plane of [cb, cr])
    blendPlane(plane, halfWidth, { left: 0, top: 0, right: halfWidth - 1, bottom: halfHeight - 1 })
  for (let row = RIM; row < height - RIM; row++) {
    for (let column = RIM; column < width - RIM; column++) {
      const at = row * width + column
      const coarse = (row >> 1) * halfWidth + (column >> 1)
      const luma = y[at] ?? 0
      const blue = luma + (cb[coarse] ?? 0)
      const red = luma + (cr[coarse] ?? 0)
      pixels[4 * at] = red
      pixels[4 * at + 1] = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
      pixels[4 * at + 2] = blue
    }
  }
}

/** Brightness of each pixel; colour, of which a video has half as many, by squares of two. */
type Planes = readonly [y: Float32Array, cb: Float32Array, cr: Float32Array]

function planesOf(pixels: Uint8ClampedArray, width: number, height: number): Planes {
  const y = new Float32Array(width * height)
  const cb = new Float32Array((width * height) / 4)
  const cr = new Float32Array((width * height) / 4)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column
      const coarse = (row >> 1) * (width / 2) + (column >> 1)
      const red = pixels[4 * at] ?? 0
      const green = pixels[4 * at + 1] ?? 0
      const blue = pixels[4 * at + 2] ?? 0
      const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      y[at] = luma
      cb[coarse] = (cb[coarse] ?? 0) + (blue - luma) / 4
      cr[coarse] = (cr[coarse] ?? 0) + (red - luma) / 4
    }
  }
  return [y, cb, cr]
}

/** The pixels that border the place: the last ones that stay. */
interface Border {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

function blendPlane(plane: Float32Array, width: number, { left, top, right, bottom }: Border): void {
  const at = (x: number, y: number): number => plane[y * width + x] ?? 0
  /** Three neighbours along the border count alike. */
  const along = (x: number, y: number, stepX: number, stepY: number): number =>
    (at(x - stepX, y - stepY) + at(x, y) + at(x + stepX, y + stepY)) / 3
  const sides = (y: number) => ({ fromLeft: along(left, y, 0, 1), fromRight: along(right, y, 0, 1) })
  const ends = Array.from({ length: Math.max(0, right - left - 1) }, (_, index) => ({
    fromTop: along(left + 1 + index, top, 1, 0),
    fromBottom: along(left + 1 + index, bottom, 1, 0),
  }))
  for (let y = top + 1; y < bottom; y++) {
    const { fromLeft, fromRight } = sides(y)
    const above = y - top
    const below = bottom - y
    for (let x = left + 1; x < right; x++) {
      const { fromTop = 0, fromBottom = 0 } = ends[x - left - 1] ?? {}
      const before = x - left
      const after = right - x
      const weights = {
        left: after * above * below,
        right: before * above * below,
        top: before * after * below,
        bottom: before * after * above,
      }
      const sum =
        fromLeft * weights.left +
        fromRight * weights.right +
        fromTop * weights.top +
        fromBottom * weights.bottom
      plane[y * width + x] = sum / (weights.left + weights.right + weights.top + weights.bottom)
    }
  }
}
