/**
 * Text from @napi-rs/canvas as a browser's canvas paints it with `textRendering = 'geometricPrecision'`. Three things
 * differ of themselves. Its text stands on a baseline that is off by what the font's ascent lacks to a whole pixel, up or down. Its
 * letters are hinted, edges pulled to whole pixels, which also makes them jump while a caption grows or slides. And it
 * thickens light letters and thins dark ones, as text editors do on some systems.
 */
import type { CanvasGradient, SKRSContext2D } from '@napi-rs/canvas'
import { cssColour, parseColour, WHITE } from '../compositor/colour.ts'

/**
 * Skia hints letters only while they stand straight. This slant is the smallest it notices: a twentieth of a pixel over
 * the height of a letter, from which every letter of a text starts anew.
 */
const SLANT = 1 / 1024
/** Farther than any text reaches, in both directions. */
const FAR = 1e5

/** Makes `context` paint text as a browser does, and returns it. Colours must be CSS colours, not patterns. */
export function useExactText(context: SKRSContext2D): SKRSContext2D {
  // Of the very text: letters that come from another font bring its ascent.
  const shiftOf = remember((fontAndText) => {
    const above = aboveBaseline(context, fontAndText.slice(context.font.length))
    return Math.floor(above + 0.5) - above
  })
  const inkOf = remember((colour) => evenInk(context, colour))
  type Paint = SKRSContext2D['fillText']
  const wrap = (paint: Paint, style: 'fillStyle' | 'strokeStyle'): Paint => {
    return (text, x, y, maxWidth) => {
      const colour = context[style]
      if (typeof colour === 'string') context[style] = inkOf(colour)
      const baseline = y - shiftOf(context.font + text)
      context.transform(1, 0, SLANT, 1, -SLANT * y, 0)
      paint(text, x, baseline, ...(maxWidth === undefined ? [] : [maxWidth]))
      context.transform(1, 0, -SLANT, 1, SLANT * y, 0)
      context[style] = colour
    }
  }
  context.fillText = wrap(context.fillText.bind(context), 'fillStyle')
  context.strokeText = wrap(context.strokeText.bind(context), 'strokeStyle')
  return context
}

/** From the top of the line to the baseline, pixels: the ascent, and half of the gap that the font wants between lines. */
function aboveBaseline(context: SKRSContext2D, text: string): number {
  const { textBaseline } = context
  context.textBaseline = 'alphabetic'
  const ascent = context.measureText(text).fontBoundingBoxAscent
  // The ideographic baseline is at the bottom of the line, which reaches half the gap beyond the font's own.
  context.textBaseline = 'ideographic'
  const halfGap = -context.measureText(text).fontBoundingBoxDescent
  context.textBaseline = textBaseline
  return ascent + halfGap
}

/** Answers from memory what was asked before; the memory is small, since a fade asks for a colour per frame. */
function remember<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= 1024) known.clear()
    const made = make(key)
    known.set(key, made)
    return made
  }
}

/**
 * Skia chooses how thick it paints letters by the lightness of their colour, and takes a gradient for as light as the
 * middle of its colours. This one is the colour everywhere, with its opposite past both ends: middle grey, for which
 * letters are neither thickened nor thinned.
 */
function evenInk(context: SKRSContext2D, colour: string): CanvasGradient {
  const { red, green, blue } = parseColour(colour) ?? WHITE
  const opposite = cssColour({ red: 255 - red, green: 255 - green, blue: 255 - blue, alpha: 1 })
  const ink = context.createLinearGradient(-FAR, 0, FAR, 0)
  ink.addColorStop(0, opposite)
  ink.addColorStop(0, colour)
  ink.addColorStop(1, colour)
  ink.addColorStop(1, opposite)
  return ink
}
