/** The clip's own picture under the layers: patched, laid out, blurred, looked at closer, as ffmpeg does it in the export. */
import type { Composition, Rect } from '../../server/contract/composition.ts'
import type { VideoPicture } from '../../workers/compositor/layers/layer.ts'
import { placeSource, zoomView } from '../../workers/compositor/source-place.ts'
import { openContext } from './canvas.ts'
import { patchPainter } from './patches.ts'
import { transitionPainter, type TakePainter } from './transitions.ts'

/** `beside`: what a transition shows besides the frame's own picture; null: nothing, or it is not there yet. */
export type SourcePainter = (
  target: CanvasRenderingContext2D,
  frame: number,
  picture: VideoPicture,
  beside: VideoPicture | null,
) => void

/** Makes a painter for a composition; it fills the whole target, whose size is the output's. */
export function sourcePainter(composition: Composition): SourcePainter {
  const paintTake = takePainter(composition)
  const paintTransition = transitionPainter(composition, takePainter)
  return (target, frame, picture, beside) => {
    if (!paintTransition(target, frame, picture, beside)) paintTake(target, frame, picture)
  }
}

function takePainter(composition: Composition): TakePainter {
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
  const context = openContext(new OffscreenCanvas(width, height))
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

/**
 * The blur behind a picture that does not fill the output, as the export's `boxblur` makes it: three times, brightness
 * by up to 6 pixels and colour, which has half as many, by as many of its own; then darkened to seven tenths.
 */
const TIMES = 3
const DARKER = 0.7

/**
 * The blur behind a picture that does not fill the output, as the export's `boxblur` makes it: three times, brightness
 * by up to 6 pixels and colour, which has half as many, by as many of its own; then darkened. RGBA, in place.
 */
function boxBlur(pixels: Uint8ClampedArray, width: number, height: number): void {
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
