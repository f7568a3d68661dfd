/** Paints set words: shadow and outline of all words first, then the letters, so that no outline covers a neighbour. */
import type { TextFace } from '../../server/contract/composition.ts'
import type { DrawingContext } from './canvas.ts'
import { cssColour, parseColour, WHITE, type Rgba } from './colour.ts'
import { type SetText, type SetWord, useFont } from './set-text.ts'

/** One word as it looks now. */
export interface PaintedWord {
  readonly word: SetWord
  readonly colour: Rgba
  readonly alpha: number
  /** How much of outline and shadow is seen: a word on a filled pill needs none. */
  readonly edge: number
  /** About the middle of the word's capitals. */
  readonly scale: number
  /** Share of the word, in its direction of writing, that is filled with `sweepColour`. */
  readonly sweep: number
  readonly sweepColour: Rgba
}

export function paintWords(
  canvas: DrawingContext,
  set: SetText,
  face: TextFace,
  words: readonly PaintedWord[],
  unit: number,
): void {
  const seen = words.filter((word) => word.alpha > 0)
  // Enlarged words last: they may reach over their neighbours.
  const ordered = [...seen].sort((a, b) => a.scale - b.scale)
  for (const word of ordered.filter(({ edge }) => edge > 0)) underlay(canvas, set, face, word, unit)
  for (const word of ordered) letters(canvas, set, face, word)
}

/** Shadow and outline. */
function underlay(canvas: DrawingContext, set: SetText, face: TextFace, painted: PaintedWord, unit: number) {
  const { outline, shadow } = face
  if (outline === null && shadow === null) return
  onWord(canvas, set, painted, (x, y, text) => {
    if (shadow !== null) {
      canvas.shadowColor = cssColour(parseColour(shadow.colour) ?? WHITE, painted.alpha * painted.edge)
      canvas.shadowBlur = shadow.blur * unit
      canvas.shadowOffsetX = shadow.offsetX * unit
      canvas.shadowOffsetY = shadow.offsetY * unit
    }
    if (outline !== null && outline.width > 0) {
      canvas.strokeStyle = cssColour(parseColour(outline.colour) ?? WHITE, painted.alpha * painted.edge)
      canvas.lineJoin = 'round'
      canvas.miterLimit = 2
      canvas.lineWidth = outline.width * unit * 2
      canvas.strokeText(text, x, y)
    } else {
      canvas.fillStyle = cssColour(painted.colour, painted.alpha)
      canvas.fillText(text, x, y)
    }
  })
}

function letters(canvas: DrawingContext, set: SetText, face: TextFace, painted: PaintedWord): void {
  onWord(canvas, set, painted, (x, y, text) => {
    if (painted.alpha < 1 && (face.outline !== null || face.shadow !== null)) {
      // Otherwise the outline would show through the letters and muddy them.
      canvas.globalCompositeOperation = 'destination-out'
      canvas.fillStyle = '#000000'
      canvas.fillText(text, x, y)
      canvas.globalCompositeOperation = 'source-over'
    }
    canvas.fillStyle = cssColour(painted.colour, painted.alpha)
    canvas.fillText(text, x, y)
    if (painted.sweep <= 0) return
    const part = painted.word.width * Math.min(1, painted.sweep)
    // A full sweep takes the overhang of the last letter with it.
    const reach = painted.sweep >= 1 ? set.pixels * 0.1 : 0
    const left =
      painted.word.direction === 'rtl' ? x + painted.word.width - part - reach : x - set.pixels * 0.1
    canvas.beginPath()
    canvas.rect(left, y - set.pixels * 1.3, part + reach + set.pixels * 0.1, set.pixels * 1.8)
    canvas.clip()
    canvas.fillStyle = cssColour(painted.sweepColour, painted.alpha)
    canvas.fillText(text, x, y)
  })
}

function onWord(
  canvas: DrawingContext,
  set: SetText,
  painted: PaintedWord,
  paint: (x: number, y: number, text: string) => void,
): void {
  const { word, scale } = painted
  const both = (x: number, y: number): void => {
    if (word.tail !== null) {
      canvas.save()
      canvas.direction = word.tail.direction
      paint(x + word.tail.left - word.left, y, word.tail.text)
      canvas.restore()
    }
    paint(x, y, word.text)
  }
  canvas.save()
  useFont(canvas, word.font, set.letterSpacing, word.base)
  if (scale === 1) both(word.left, word.baseline)
  else {
    const halfCap = set.capHeight / 2
    canvas.translate(word.left + word.width / 2, word.baseline - halfCap)
    canvas.scale(scale, scale)
    both(-word.width / 2, halfCap)
  }
  canvas.restore()
}
