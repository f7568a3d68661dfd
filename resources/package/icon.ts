/** The application's icon, drawn: two brackets that cut a strip of film to its bright middle. */
import { createCanvas } from '@napi-rs/canvas'

/** PNG bytes, `size` pixels wide and high. */
export function drawIcon(size: number): Buffer {
  const canvas = createCanvas(size, size)
  const context = canvas.getContext('2d')
  context.scale(size / 64, size / 64)
  context.fillStyle = '#16181d'
  context.beginPath()
  context.roundRect(2, 2, 60, 60, 14)
  context.fill()
  context.fillStyle = '#3a3f4a'
  context.fillRect(9, 26, 46, 12)
  context.fillStyle = '#ffd23f'
  context.fillRect(23, 20, 18, 24)
  context.strokeStyle = '#f5f6f8'
  context.lineWidth = 4
  context.lineJoin = 'round'
  for (const [x, turn] of [
    [19, 1],
    [45, -1],
  ] as const) {
    context.beginPath()
    context.moveTo(x + 6 * turn, 14)
    context.lineTo(x, 14)
    context.lineTo(x, 50)
    context.lineTo(x + 6 * turn, 50)
    context.stroke()
  }
  return canvas.toBuffer('image/png')
}
