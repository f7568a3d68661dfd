/** Paths and fills that several layers draw: rounded rectangles, ellipses, what is behind a picture. */
import type { Box } from './box.ts'
import type { DrawingContext } from './canvas.ts'

/** Adds the outline of the ellipse that fills the box to the canvas' path. */
export function traceEllipse(canvas: DrawingContext, box: Box): void {
  const { x, y, width, height } = box
  if (width <= 0 || height <= 0) return
  // The path keeps the transform that it was drawn with: a stretched circle.
  canvas.save()
  canvas.translate(x, y)
  canvas.scale(width / 2, height / 2)
  traceRounded(canvas, { x: 0, y: 0, width: 2, height: 2 }, 1)
  canvas.restore()
}

/** Adds the outline to the canvas' path; corners are as round as the box allows, at most. */
export function traceRounded(canvas: DrawingContext, box: Box, radius: number): void {
  const { x, y, width, height } = box
  const round = Math.min(radius, width / 2, height / 2)
  if (round <= 0) return canvas.rect(x, y, width, height)
  const right = x + width
  const bottom = y + height
  canvas.moveTo(x + round, y)
  canvas.arcTo(right, y, right, bottom, round)
  canvas.arcTo(right, bottom, x, bottom, round)
  canvas.arcTo(x, bottom, x, y, round)
  canvas.arcTo(x, y, right, y, round)
  canvas.closePath()
}

/**
 * Draws the background of the box. An opaque picture leaves its own area out: over a background, a picture that is half
 * faded would show it through. Transparent pictures keep the background behind them.
 */
export function paintBehind(canvas: DrawingContext, colour: string, box: Box, picture: Box | null): void {
  canvas.fillStyle = colour
  if (picture === null) return canvas.fillRect(box.x, box.y, box.width, box.height)
  const right = picture.x + picture.width
  const bottom = picture.y + picture.height
  canvas.fillRect(box.x, box.y, box.width, picture.y - box.y)
  canvas.fillRect(box.x, bottom, box.width, box.y + box.height - bottom)
  canvas.fillRect(box.x, picture.y, picture.x - box.x, picture.height)
  canvas.fillRect(right, picture.y, box.x + box.width - right, picture.height)
}
