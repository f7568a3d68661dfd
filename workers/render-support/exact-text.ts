/**
 * Makes @napi-rs/canvas draw text as a browser's canvas does with `textRendering = 'geometricPrecision'`. Three things
 * differ by default. The baseline is off by the fraction of a pixel that the font's ascent lacks to a whole number.
 * Letters are hinted, which pulls their edges to whole pixels and makes them jump while a caption grows or moves. And
 * light letters are thickened and dark ones thinned, as some systems do.
 */
import type { CanvasGradient, SKRSContext2D } from '@napi-rs/canvas'
import { cssColour, parseColour, WHITE } from '../compositor/colour.ts'

/**
 * Skia hints letters only while they are upright. This is the smallest slant that it notices: a twentieth of a pixel over
 * the height of a letter, and every letter starts anew from it.
 */
const SLANT = 1 / 1024
/** Farther than any text reaches, in both directions. */
const FAR = 1e5

/** Makes `context` draw text as a browser does, and returns it. Colours must be CSS colours, not patterns. */
export function useExactText(context: SKRSContext2D): SKRSContext2D {
  // Measured for this very text, because letters that come from a fallback font have another ascent.
  const shiftOf = cacheResults((fontAndText) => {
    const above = aboveBaseline(context, fontAndText.slice(context.font.length))
    return Math.floor(above + 0.5) - above
  })
  const inkOf = cacheResults((colour) => evenInk(context, colour))
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

/** Pixels from the top of the line to the baseline: the ascent plus half of the font's line gap. */
function aboveBaseline(context: SKRSContext2D, text: string): number {
  const { textBaseline } = context
  context.textBaseline = 'alphabetic'
  const ascent = context.measureText(text).fontBoundingBoxAscent
  // The ideographic baseline is at the bottom of the line, which lies half the line gap below the font's own bottom.
  context.textBaseline = 'ideographic'
  const halfGap = -context.measureText(text).fontBoundingBoxDescent
  context.textBaseline = textBaseline
  return ascent + halfGap
}

/** Caches results. The cache is small, because a fade needs another colour in every frame. */
function cacheResults<T>(make: (key: string) => T): (key: string) => T {
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
 * Skia chooses the thickness of letters by the lightness of their colour, and takes the average of a gradient's colours.
 * This gradient shows the colour everywhere and has its opposite outside of both ends: the average is middle grey, for
 * which letters are neither thickened nor thinned.
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
