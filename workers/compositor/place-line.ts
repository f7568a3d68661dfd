/** Positions the words of one line, in any mix of writing directions. */
import createBidi, { type Bidi } from 'bidi-js'
import { directionOf, type Direction } from './text.ts'

/** The words of a line with what was measured of them. */
export interface LineWords {
  readonly texts: readonly string[]
  readonly widths: readonly number[]
  /** Space after each. */
  readonly gaps: readonly number[]
  /** Width of a text as the word with this place in the line is set. */
  readonly measure: (text: string, place: number) => number
}

export interface PlacedInLine {
  readonly text: string
  readonly left: number
  readonly width: number
  /** Direction in which its punctuation is set. */
  readonly base: Direction
  readonly tail: Tail | null
}

/** Punctuation at the end of a foreign phrase belongs to the line, so it is on the other side of the phrase. */
export interface Tail {
  readonly text: string
  readonly left: number
  readonly width: number
  readonly direction: Direction
}

interface Token {
  readonly text: string
  readonly width: number
  readonly gap: number
  readonly word: number
}

/** The words in their order in the text; `left` is the line's left edge. */
export function placeLine(line: LineWords, left: number, direction: Direction): PlacedInLine[] {
  const tokens = line.texts.flatMap((_, word) => tokensOf(line, word, direction))
  const order = visualOrder(
    tokens.map((token) => token.text),
    direction,
  )
  const lefts: number[] = []
  let at = left
  order.forEach((token, place) => {
    lefts[token] = at
    const next = order[place + 1]
    at += (tokens[token]?.width ?? 0) + (next === undefined ? 0 : gapBetween(tokens, token, next, direction))
  })
  return line.texts.map((text, word) => {
    const first = tokens.findIndex((token) => token.word === word)
    const head = tokens[first]
    const rest = tokens[first + 1]
    const isSplit = rest !== undefined && rest.word === word
    return {
      text: head?.text ?? text,
      left: lefts[first] ?? left,
      width: head?.width ?? 0,
      base: isSplit ? opposite(direction) : baseOf(line.texts, word, direction),
      tail: isSplit
        ? { text: rest.text, left: lefts[first + 1] ?? left, width: rest.width, direction }
        : null,
    }
  })
}

/** The space between two neighbours: before or after the whole foreign phrase that one of them may be in. */
function gapBetween(tokens: readonly Token[], a: number, b: number, direction: Direction): number {
  const first = Math.min(a, b)
  const last = Math.max(a, b)
  const foreign = (token: number): boolean => directionOf(tokens[token]?.text ?? '') === opposite(direction)
  return tokens[foreign(first) && !foreign(last) ? last - 1 : first]?.gap ?? 0
}

/** A word, or a word and its tail. */
function tokensOf({ texts, widths, gaps, measure }: LineWords, word: number, direction: Direction): Token[] {
  const text = texts[word] ?? ''
  const width = widths[word] ?? 0
  const gap = gaps[word] ?? 0
  const foreign = (place: number): boolean => directionOf(texts[place] ?? '') === opposite(direction)
  const [, head = '', tail = ''] = /^(.*[\p{L}\p{N}\p{M}])([^\p{L}\p{N}\p{M}\s]+)$/u.exec(text) ?? []
  const ends = foreign(word) && foreign(word - 1) && !foreign(word + 1)
  if (!ends || head === '' || /\p{Extended_Pictographic}/u.test(tail)) return [{ text, width, gap, word }]
  const tailWidth = measure(tail, word)
  return [
    { text: head, width: width - tailWidth, gap: 0, word },
    { text: tail, width: tailWidth, gap, word },
  ]
}

/** Punctuation at the end of a word belongs to the line, unless the word's own direction continues after it. */
function baseOf(texts: readonly string[], word: number, direction: Direction): Direction {
  const next = texts[word + 1]
  return next === undefined ? direction : (directionOf(next) ?? direction)
}

function opposite(direction: Direction): Direction {
  return direction === 'ltr' ? 'rtl' : 'ltr'
}

/** The bidirectional order decides a word's position: a bracket around a foreign phrase may be on its far side. */
const PLACED_BY = /[\p{L}\p{N}]/u

let algorithm: Bidi | null = null

/** Indices of the words from left to right. A word of mixed direction is placed by its leftmost letter. */
export function visualOrder(texts: readonly string[], base: Direction): number[] {
  // Its tables are read when they are first needed.
  algorithm ??= createBidi()
  const line = texts.join(' ')
  const characters = algorithm.getReorderedIndices(line, algorithm.getEmbeddingLevels(line, base))
  const wordAt = texts.flatMap((text, word) => {
    const signsOnly = !PLACED_BY.test(text)
    const own = text.split('').map((_, at) => {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
      return signsOnly || PLACED_BY.test(character) ? word : null
    })
    return [...own, null]
  })
  const words = characters.map((at) => wordAt[at] ?? null).filter((word) => word !== null)
  // A Set keeps insertion order. A word without characters comes last: there is nothing to draw.
  return [...new Set([...words, ...texts.keys()])]
}
