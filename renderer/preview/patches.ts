/** The source's picture without the logos that are burned into it, as the export shows it. */
import { sourceFrames, type Composition } from '../../server/contract/composition.ts'
import type { VideoPicture } from '../../workers/compositor/layers/layer.ts'
import { PATCH_RIM, placedPatches, type PlacedPatch } from '../../workers/compositor/patch-place.ts'
import { blendPatch } from './blend-patch.ts'

export type PatchPainter = (frame: number, picture: VideoPicture) => VideoPicture

/**
 * Gives the picture back as it is where nothing is to be replaced; otherwise one of the source's size that is good until
 * the next call.
 */
export function patchPainter(composition: Composition): PatchPainter {
  const patches = placedPatches(composition.source)
  if (patches.length === 0) return (_frame, picture) => picture
  const { width, height } = composition.source
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('This browser has no 2D canvas.')
  context.imageSmoothingEnabled = true
  context.imageSmoothingQuality = 'high'
  return (frame, picture) => {
    // The tail holds the last picture as it was.
    const at = Math.min(frame, sourceFrames(composition) - 1)
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
