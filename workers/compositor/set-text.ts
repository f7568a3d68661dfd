/** Sets a run of words in lines: sizes, breaks, places. Shared by captions and titles. */
import type { TextFace } from '../../server/contract/composition.ts'
import { mayBreakBetween } from '../../server/contract/join-words.ts'
import { type Box, growBox, unionBox } from './box.ts'
import type { DrawingContext } from './canvas.ts'
import type { LayoutContext } from './layers/layer.ts'
import { resolveFamily, type ResolvedFamily } from './fonts.ts'
import {
  applyCase,
  balancedBreaks,
  CURSIVE,
  ONLY_EMOJI,
  cssFont,
  directionOf,
  drawable,
  lineDirection,
  type Direction,
} from './text.ts'
import { placeLine, type Tail } from './place-line.ts'
import type { LineBox } from './backdrop.ts'

/** One word in its place. `left` and `baseline` in output pixels. */
export interface SetWord {
  readonly text: string
  readonly font: string
  readonly left: number
  readonly width: number
  readonly baseline: number
  readonly line: number
  /** Of its letters: the way in which it is read. */
  readonly direction: Direction
  /** Direction of the surrounding text, which decides the side of its punctuation. */
  readonly base: Direction
  /** Punctuation drawn apart from the word, not included in `text` and `width`. */
  readonly tail: Tail | null
}

export interface SetText {
  readonly font: string
  readonly letterSpacing: string
  /** Font size in output pixels, after any shrinking. */
  readonly pixels: number
  readonly capHeight: number
  readonly lineHeight: number
  readonly direction: Direction
  readonly lines: readonly LineBox[]
  /** In the order they were given, whatever the direction of writing. */
  readonly words: readonly SetWord[]
  readonly centreX: number
  readonly centreY: number
}

export interface TextRequest {
  readonly words: readonly string[]
  /** Words with no space between them and the next; absent: none. */
  readonly joinsNext?: readonly boolean[]
  /** Added to the space between words, in font sizes. */
  readonly wordGap: number
  /** BCP 47 tag, where it is known. */
  readonly language?: string | undefined
  readonly face: TextFace
  readonly align: 'left' | 'center' | 'right'
  readonly xPercent: number
  readonly yPercent: number
  readonly maxWidthPercent: number
  /** 0: any number. */
  readonly maxLines: number
  /** 0: any height. */
  readonly maxHeightPercent: number
  /** Margin around the text that must stay inside the picture, output pixels. */
  readonly marginX: number
  readonly marginY: number
}

/** Below this share of the wanted size text is no longer shrunk, but takes more lines. */
const SMALLEST = 0.45
const SHRINK_STEP = 0.94

/** Lays text out at the face's size, or smaller where it would not fit its lines, width or height. */
export function setText(request: TextRequest, context: LayoutContext): SetText {
  const texts = request.words.map((word) => applyCase(drawable(word), request.face.textCase))
  const family = resolveFamily(context.fonts, request.face.fontFamily, {
    text: texts.join(''),
    language: request.language,
    fontFile: request.face.fontFile,
  })
  if (!family.known) {
    const { name, fontField } = context.setting
    context.warn(
      'FONT_NOT_FOUND',
      fontField,
      `The font "${request.face.fontFamily}" of ${name} is not here; "${family.family}" is used in its place.`,
    )
  }
  const limit = (request.maxWidthPercent / 100) * context.width - 2 * request.marginX
  const heightLimit = (request.maxHeightPercent / 100) * context.height
  const wanted = request.face.fontSize * context.unit
  let attempt = measure(texts, request, context, family, wanted, limit)
  for (let size = wanted * SHRINK_STEP; size >= wanted * SMALLEST && !fits(attempt); size *= SHRINK_STEP) {
    attempt = measure(texts, request, context, family, size, limit)
  }
  if (attempt.widest > limit) {
    // One word wider than the picture: the only thing left is to make it fit.
    const size = attempt.pixels * (limit / attempt.widest) * 0.995
    attempt = measure(texts, request, context, family, size, limit)
  }
  return place(texts, request, context, attempt)

  function fits(measured: Measured): boolean {
    const lines = measured.breaks.length
    return (
      measured.widest <= limit &&
      (request.maxLines === 0 || lines <= request.maxLines) &&
      (heightLimit === 0 || lines * measured.lineHeight <= heightLimit)
    )
  }
}

interface Measured {
  readonly font: string
  /** Of each word. */
  readonly fonts: readonly string[]
  readonly letterSpacing: string
  readonly pixels: number
  readonly widths: readonly number[]
  /** Space after each word. */
  readonly gaps: readonly number[]
  readonly breaks: readonly number[]
  readonly widest: number
  readonly capHeight: number
  readonly lineHeight: number
}

function measure(
  texts: readonly string[],
  request: TextRequest,
  context: LayoutContext,
  family: ResolvedFamily,
  pixels: number,
  limit: number,
): Measured {
  const { canvas } = context
  const font = cssFont(request.face, family.cssFamilies, pixels)
  const emojiFont = cssFont(request.face, family.emojiFamilies, pixels)
  const fonts = texts.map((text) => (ONLY_EMOJI.test(text) ? emojiFont : font))
  // Letter spacing shrinks with the text; letters that join must not be pulled apart.
  const joined = texts.some((text) => CURSIVE.test(text))
  const spacing = joined ? 0 : (request.face.letterSpacing * pixels) / request.face.fontSize
  const letterSpacing = `${Math.round(spacing * 100) / 100}px`
  useFont(canvas, font, letterSpacing, 'ltr')
  const widths = texts.map((text, index) => {
    canvas.font = fonts[index] ?? font
    return canvas.measureText(text).width
  })
  canvas.font = font
  // Outlines of neighbours may meet, but not run into each other.
  const outlines = 2 * (request.face.outline?.width ?? 0) * context.unit
  const space = Math.max(canvas.measureText(' ').width, outlines + 0.04 * pixels) + request.wordGap * pixels
  const gaps = texts.map((_, index) => (request.joinsNext?.[index] === true ? 0 : space))
  const breaks = breaksOf(texts, widths, gaps, limit, request.joinsNext ?? [])
  const widest = Math.max(0, ...breaks.map((from, index) => lineWidth(widths, gaps, from, breaks[index + 1])))
  const capHeight = capShare(canvas, request.face, family.cssFamilies) * pixels
  return {
    font,
    fonts,
    letterSpacing,
    pixels,
    widths,
    gaps,
    breaks,
    widest,
    capHeight,
    lineHeight: pixels * request.face.lineHeight,
  }
}

/** Measured so large that no renderer's rounding to pixels matters: browsers round the ink of small letters each in its way. */
const CAP_PIXELS = 1000

/** Height of capitals as a share of the font size. */
function capShare(canvas: DrawingContext, face: TextFace, cssFamilies: string): number {
  useFont(canvas, cssFont(face, cssFamilies, CAP_PIXELS), '0px', 'ltr')
  return canvas.measureText('H').actualBoundingBoxAscent / CAP_PIXELS
}

/** First words of lines. Words that no line break may part are set as one. */
function breaksOf(
  texts: readonly string[],
  widths: readonly number[],
  gaps: readonly number[],
  limit: number,
  joinsNext: readonly boolean[],
): number[] {
  const starts = texts.flatMap((text, index) =>
    index > 0 && joinsNext[index - 1] === true && !mayBreakBetween(texts[index - 1] ?? '', text)
      ? []
      : [index],
  )
  const ends = starts.map((_, unit) => starts[unit + 1] ?? texts.length)
  const breaks = balancedBreaks(
    starts.map((from, unit) => lineWidth(widths, gaps, from, ends[unit])),
    ends.map((end) => gaps[end - 1] ?? 0),
    limit,
    ends.map((end) => /[,;:.!?…、。，！？：；،؛؟।]["'”’)」』]*$/u.test(texts[end - 1] ?? '')),
  )
  return breaks.map((unit) => starts[unit] ?? 0)
}

function lineWidth(widths: readonly number[], gaps: readonly number[], from: number, to = widths.length) {
  const all = widths.slice(from, to).reduce((sum, width, index) => sum + width + (gaps[from + index] ?? 0), 0)
  return all - (gaps[to - 1] ?? 0)
}

function place(texts: readonly string[], request: TextRequest, context: LayoutContext, measured: Measured) {
  const { breaks, widths, gaps, widest, lineHeight, capHeight } = measured
  const blockHeight = breaks.length * lineHeight
  const centreX = within(
    (request.xPercent / 100) * context.width,
    widest / 2 + request.marginX,
    context.width,
  )
  const centreY = within(
    (request.yPercent / 100) * context.height,
    blockHeight / 2 + request.marginY,
    context.height,
  )
  const direction = lineDirection(texts.join(' '), request.language)
  const lines: LineBox[] = []
  const words: SetWord[] = []
  breaks.forEach((from, line) => {
    const to = breaks[line + 1] ?? texts.length
    const width = lineWidth(widths, gaps, from, to)
    const spare = widest - width
    const indent = request.align === 'left' ? 0 : request.align === 'right' ? spare : spare / 2
    const left = centreX - widest / 2 + indent
    const middle = centreY + (line - (breaks.length - 1) / 2) * lineHeight
    lines.push({ left, width, middle })
    const own = {
      texts: texts.slice(from, to),
      widths: widths.slice(from, to),
      gaps: gaps.slice(from, to),
      measure: (text: string, place: number) => {
        const font = measured.fonts[from + place] ?? measured.font
        useFont(context.canvas, font, measured.letterSpacing, 'ltr')
        return context.canvas.measureText(text).width
      },
    }
    placeLine(own, left, direction).forEach((word, index) => {
      words.push({
        ...word,
        font: measured.fonts[from + index] ?? measured.font,
        // On a whole pixel, where renderers put it in any case, each rounding in its own way.
        baseline: Math.round(middle + capHeight / 2),
        line,
        direction: directionOf(word.text) ?? direction,
      })
    })
  })
  const { font, letterSpacing, pixels } = measured
  return { font, letterSpacing, pixels, capHeight, lineHeight, direction, lines, words, centreX, centreY }
}

function within(value: number, half: number, size: number): number {
  return half * 2 >= size ? size / 2 : Math.min(size - half, Math.max(half, value))
}

export function useFont(
  canvas: DrawingContext,
  font: string,
  letterSpacing: string,
  direction: Direction,
): void {
  canvas.font = font
  canvas.letterSpacing = letterSpacing
  // Subsets of large fonts are numbered. A word's letters may come from several, and renderers disagree about kerning
  // between letters of different subsets.
  canvas.fontKerning = /Cutroom [^"]+ \d+"/.test(font) ? 'none' : 'auto'
  canvas.direction = direction
  canvas.textAlign = 'left'
  canvas.textBaseline = 'alphabetic'
}

/** How far ink reaches beyond a face's advance box: outline, shadow, accents and overhang; output pixels. */
export interface InkReach {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export function inkReach(face: TextFace, unit: number, pixels: number): InkReach {
  const outline = (face.outline?.width ?? 0) * unit
  // A canvas' blur fades to nothing at about one and a half times its length.
  const blur = (face.shadow?.blur ?? 0) * unit * 1.4
  const dx = (face.shadow?.offsetX ?? 0) * unit
  const dy = (face.shadow?.offsetY ?? 0) * unit
  const side = 0.08 * pixels + 2
  return {
    left: side + outline + Math.max(0, blur - dx),
    right: side + outline + Math.max(0, blur + dx),
    top: 2 + outline + Math.max(0, blur - dy),
    bottom: 2 + outline + Math.max(0, blur + dy),
  }
}

/** A word's ink: accents above the capitals and descenders below the baseline included. */
export function wordInk(set: SetText, word: SetWord, reach: InkReach): Box {
  const above = Math.max(set.capHeight * 1.4, set.pixels * 0.98)
  const inkOf = ({ left, width }: { readonly left: number; readonly width: number }): Box =>
    growBox(
      { x: left, y: word.baseline - above, width, height: above + set.pixels * 0.34 },
      reach.left,
      reach.top,
      reach.right,
      reach.bottom,
    )
  const own = inkOf(word)
  return word.tail === null ? own : (unionBox(own, inkOf(word.tail)) ?? own)
}

export function textInk(set: SetText, reach: InkReach): Box | null {
  return set.words.map((word) => wordInk(set, word, reach)).reduce<Box | null>(unionBox, null)
}
