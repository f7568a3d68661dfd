/** Text before it is drawn: case, direction, the CSS font, line breaking by measured width. */
import type { TextFace } from '../../server/contract/composition.ts'

export type Direction = 'ltr' | 'rtl'

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** A word that is nothing but emojis. */
export const ONLY_EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f)+$/u
/** Scripts whose letters join. */
export const CURSIVE =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}]/u
const RIGHT_TO_LEFT_LANGUAGES = new Set(['ar', 'he', 'fa', 'ur', 'ps', 'ckb', 'yi', 'syr', 'dv', 'nqo'])
const LETTER = /\p{L}/u

/** Direction of the first letter that has one; null when there is none (digits, punctuation). */
export function directionOf(text: string): Direction | null {
  for (const letter of text) {
    if (RIGHT_TO_LEFT.test(letter)) return 'rtl'
    if (LETTER.test(letter)) return 'ltr'
  }
  return null
}

/** Of a language written from right to left where the text has such letters, else of the first letter. */
export function lineDirection(text: string, language = ''): Direction {
  const [primary = ''] = language.toLowerCase().split('-')
  if (RIGHT_TO_LEFT_LANGUAGES.has(primary) && RIGHT_TO_LEFT.test(text)) return 'rtl'
  return directionOf(text) ?? 'ltr'
}

/** Without what a canvas throws at: text that ends in the middle, as it sees it. */
export const drawable = (text: string): string => text.replaceAll('\u0000', '')

export function applyCase(text: string, textCase: TextFace['textCase']): string {
  switch (textCase) {
    case 'none':
      return text
    case 'upper':
      return text.toUpperCase()
    case 'lower':
      return text.toLowerCase()
    case 'title':
      return text.replace(/\p{L}[\p{L}\p{M}'’]*/gu, (word) => {
        const [first = '', ...rest] = word
        return first.toUpperCase() + rest.join('').toLowerCase()
      })
  }
}

/** `pixels` to a quarter, so that the same text is measured alike everywhere. */
export function cssFont(face: TextFace, cssFamilies: string, pixels: number): string {
  const size = Math.round(pixels * 4) / 4
  return `${face.italic ? 'italic ' : ''}${face.fontWeight} ${size}px ${cssFamilies}`
}

/**
 * Breaks words into lines no wider than `limit`: as few lines as that takes, then the breaks that leave the lines most
 * alike, a little rather after punctuation. Returns the index of each line's first word. A word wider than the limit
 * has a line to itself. `gaps[i]` is the space after word i.
 */
export function balancedBreaks(
  widths: readonly number[],
  gaps: readonly number[],
  limit: number,
  endsPhrase: readonly boolean[] = [],
): number[] {
  const count = greedyLineCount(widths, gaps, limit)
  if (count <= 1) return [0]
  const total = widths.reduce((sum, width, index) => sum + width + (gaps[index] ?? 0), 0)
  const ideal = total / count
  const best: { cost: number; from: number }[][] = [[{ cost: 0, from: -1 }]]
  // best[line][end]: cheapest way to set words before `end` in `line` lines.
  for (let line = 1; line <= count; line++) {
    const row: { cost: number; from: number }[] = []
    best.push(row)
    for (let end = line; end <= widths.length; end++) {
      let choice = { cost: Infinity, from: -1 }
      let width = -(gaps[end - 1] ?? 0)
      for (let start = end - 1; start >= line - 1; start--) {
        width += (widths[start] ?? 0) + (gaps[start] ?? 0)
        if (width > limit && end - start > 1) break
        const before = best[line - 1]?.[start]?.cost ?? Infinity
        const phrase = end < widths.length && endsPhrase[end - 1] === true ? 0.03 * ideal ** 2 : 0
        const cost = before + (width - ideal) ** 2 - phrase
        if (cost < choice.cost) choice = { cost, from: start }
      }
      row[end] = choice
    }
  }
  const breaks: number[] = []
  for (let line = count, end = widths.length; line > 0; line--) {
    end = best[line]?.[end]?.from ?? 0
    breaks.unshift(end)
  }
  return breaks
}

function greedyLineCount(widths: readonly number[], gaps: readonly number[], limit: number): number {
  let lines = 0
  let width = Infinity
  widths.forEach((word, index) => {
    const gap = gaps[index - 1] ?? 0
    if (width + gap + word > limit) {
      lines += 1
      width = word
    } else width += gap + word
  })
  return lines
}
