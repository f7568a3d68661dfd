/** The shape layer: a rectangle or an ellipse of one colour, or of two that run into each other. */
import type { ShapeLayer } from '../../../server/contract/composition.ts'
import { intersectBox, type Box } from '../box.ts'
import { cssColour, parseColour, WHITE } from '../colour.ts'
import { traceEllipse, traceRounded } from '../rounded.ts'
import type { LayoutContext, PreparedLayer } from './layer.ts'

export function prepareShape(layer: ShapeLayer, context: LayoutContext): PreparedLayer {
  const { unit, width, height } = context
  const { rect } = layer
  const shape: Box = {
    x: rect.x * unit,
    y: rect.y * unit,
    width: rect.width * unit,
    height: rect.height * unit,
  }
  const read = (text: string): string => {
    const colour = parseColour(text)
    if (colour === null) context.warn(`"${text}" is not a colour; white is used in its place.`)
    return cssColour(colour ?? WHITE)
  }
  const top = read(layer.colour)
  const bottom = layer.colourTo === undefined ? top : read(layer.colourTo)
  const startFrame = Math.max(0, layer.startFrame)
  const endFrame = Math.min(context.durationFrames, layer.endFrame)
  const grown = { x: shape.x - 1, y: shape.y - 1, width: shape.width + 2, height: shape.height + 2 }
  const seen =
    endFrame > startFrame && shape.width > 0 && shape.height > 0
      ? intersectBox(grown, { x: 0, y: 0, width, height })
      : null
  const stateAt = (frame: number): string =>
    seen !== null && startFrame <= frame && frame < endFrame ? 'shown' : ''
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
