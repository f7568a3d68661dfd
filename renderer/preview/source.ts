/** The clip's own picture under the layers: patched, laid out, blurred, looked at closer, as ffmpeg does it in the export. */
import type { Composition, Rect } from '../../server/contract/composition.ts'
import type { VideoPicture } from '../../workers/compositor/layers/layer.ts'
import { placeSource, zoomView } from '../../workers/compositor/source-place.ts'
import { boxBlur } from './blur.ts'
import { patchPainter } from './patches.ts'

export type SourcePainter = (target: CanvasRenderingContext2D, frame: number, picture: VideoPicture) => void

/** Makes a painter for a composition; it fills the whole target, whose size is the output's. */
export function sourcePainter(composition: Composition): SourcePainter {
  const { width, height } = composition.output
  const laidOut = surface(width, height)
  const small = surface(even(width / 8), even(height / 8))
  const patched = patchPainter(composition)
  return (target, frame, taken) => {
    const picture = patched(frame, taken)
    const view = zoomView(composition, frame)
    const canvas = view === null ? target : laidOut
    const place = placeSource(composition, frame)
    canvas.fillStyle = '#000000'
    canvas.fillRect(0, 0, width, height)
    const { source } = composition
    // The file's own pixels, where they are not as many as those that are shown (pixels that are not square).
    const x = picture.width / source.width
    const y = picture.height / source.height
    const own = (rect: Rect): Rect => ({
      x: rect.x * x,
      y: rect.y * y,
      width: rect.width * x,
      height: rect.height * y,
    })
    const image = picture.image as HTMLVideoElement | OffscreenCanvas
    if (place.blurred !== null) paintBlurred(canvas, small, image, own(place.blurred), place.blurred)
    for (const { from, to } of place.views) drawPart(canvas, image, own(from), to)
    if (view !== null) drawPart(target, laidOut.canvas, view, { x: 0, y: 0, width, height })
  }
}

const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2)

type Surface = OffscreenCanvasRenderingContext2D

function surface(width: number, height: number): Surface {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('This browser has no 2D canvas.')
  return context
}

function drawPart(
  canvas: CanvasRenderingContext2D | Surface,
  image: HTMLVideoElement | OffscreenCanvas,
  from: Rect,
  to: Rect,
): void {
  canvas.imageSmoothingEnabled = true
  canvas.imageSmoothingQuality = 'high'
  canvas.drawImage(image, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height)
}

/** At an eighth of the size, as the export does it. */
function paintBlurred(
  canvas: CanvasRenderingContext2D | Surface,
  small: Surface,
  image: HTMLVideoElement | OffscreenCanvas,
  own: Rect,
  shape: Rect,
): void {
  const { width, height } = small.canvas
  const cover = Math.max(width / shape.width, height / shape.height)
  const w = even(shape.width * cover + 1)
  const h = even(shape.height * cover + 1)
  const to = { x: Math.ceil((width - w) / 4) * 2, y: Math.ceil((height - h) / 4) * 2, width: w, height: h }
  drawPart(small, image, own, to)
  const pixels = small.getImageData(0, 0, width, height)
  boxBlur(pixels.data, width, height)
  small.putImageData(pixels, 0, 0)
  const whole = { x: 0, y: 0, width: canvas.canvas.width, height: canvas.canvas.height }
  drawPart(canvas, small.canvas, { x: 0, y: 0, width, height }, whole)
}
