/** What fills the rectangle of a picture behind it. */
import type { Box } from './box.ts'
import type { DrawingContext } from './canvas.ts'

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
