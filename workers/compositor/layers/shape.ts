/** The shape layer: a rectangle or an ellipse of one colour, or of two that run into each other. */
import type { ShapeLayer } from '../../../server/contract/composition.ts'
import { growBox, inPixels, intersectBox } from '../box.ts'
import { cssColour } from '../colour.ts'
import { traceEllipse, traceRounded } from '../paths.ts'
import { readColour, type LayoutContext, type PreparedLayer } from './layer.ts'

export function prepareShape(layer: ShapeLayer, context: LayoutContext): PreparedLayer {
  const { unit, width, height } = context
  const shape = inPixels(layer.rect, unit)
  const { opacity = 1 } = layer
  const top = cssColour(readColour(layer.colour, context), opacity)
  const bottom = layer.colourTo === undefined ? top : cssColour(readColour(layer.colourTo, context), opacity)
  const startFrame = Math.max(0, layer.startFrame)
  const endFrame = Math.min(context.durationFrames, layer.endFrame)
  const seen =
    opacity > 0 && endFrame > startFrame && shape.width > 0 && shape.height > 0
      ? intersectBox(growBox(shape, 1), { x: 0, y: 0, width, height })
      : null
  const stateAt = (frame: number) => (seen !== null && startFrame <= frame && frame < endFrame ? 'shown' : '')
  return {
    id: layer.id,
    box: seen,
    shown: seen === null ? [] : [{ startFrame, endFrame }],
    stateAt,
    paintedAt: (frame) => (stateAt(frame) === '' ? null : seen),
    damage: (from, to) => (stateAt(from) === stateAt(to) ? null : seen),
    draw: (canvas, frame) => {
      if (stateAt(frame) === '') return
      if (bottom === top) canvas.fillStyle = top
      else {
        const gradient = canvas.createLinearGradient(0, shape.y, 0, shape.y + shape.height)
        gradient.addColorStop(0, top)
        gradient.addColorStop(1, bottom)
        canvas.fillStyle = gradient
      }
      canvas.beginPath()
      if (layer.ellipse === true) traceEllipse(canvas, shape)
      else traceRounded(canvas, shape, layer.radius * unit)
      canvas.fill()
    },
  }
}
