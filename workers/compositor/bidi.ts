/**
 * The order of words in a line that may hold both directions of writing, by the rules of Unicode's bidirectional
 * algorithm as far as whole words are concerned. Inside a word the font engine does the same for letters.
 */
import { directionOf, type Direction } from './text.ts'

const NUMBER = /\p{Nd}/u

/** Embedding level of each word: even is left to right, odd right to left, higher is nested deeper. */
function levelsOf(texts: readonly string[], base: Direction): number[] {
  const strong = texts.map(directionOf)
  const numbers = texts.map((text, index) => strong[index] === null && NUMBER.test(text))
  // A number goes on in the direction of the letters before it.
  const lastStrong = (index: number): Direction =>
    strong.slice(0, index).findLast((direction) => direction !== null) ?? base
  const resolved = texts.map((_, index): Direction | null =>
    numbers[index] === true ? lastStrong(index) : (strong[index] ?? null),
  )
  return texts.map((_, index) => {
    const own = resolved[index] ?? neutral(resolved, index, base)
    if (base === 'ltr') return own === 'ltr' ? 0 : numbers[index] === true ? 2 : 1
    return own === 'ltr' || numbers[index] === true ? 2 : 1
  })
}

/** What has no direction takes that of its neighbours where they agree, else the line's. */
function neutral(resolved: readonly (Direction | null)[], index: number, base: Direction): Direction {
  const before = resolved.slice(0, index).findLast((direction) => direction !== null) ?? base
  const after = resolved.slice(index + 1).find((direction) => direction !== null) ?? base
  return before === after ? before : base
}

/** Indices of the words from left to right. */
export function visualOrder(texts: readonly string[], base: Direction): number[] {
  const order = texts.map((_, index) => index)
  const levels = levelsOf(texts, base)
  const joined = spacesJoin(texts, levels, base)
  for (let level = Math.max(0, ...levels); level > 0; level--) {
    for (let at = 0; at < order.length;) {
      let end = at
      while (
        end < order.length &&
        (levels[end] ?? 0) >= level &&
        (end === at || level < 2 || joined[end - 1] === true)
      )
        end += 1
      if (end - at > 1) order.splice(at, end - at, ...order.slice(at, end).reverse())
      at = Math.max(end, at + 1)
    }
  }
  return order
}

/**
 * Whether the space after each word is as deep as both its neighbours. Two numbers in right-to-left text are not joined
 * by the space between them: each stands for itself.
 */
function spacesJoin(texts: readonly string[], levels: readonly number[], base: Direction): boolean[] {
  return texts.map((text, index) => {
    const next = texts[index + 1]
    if (next === undefined || levels[index] !== levels[index + 1]) return false
    const isNumber = (word: string): boolean => directionOf(word) === null && NUMBER.test(word)
    if (!isNumber(text) && !isNumber(next)) return true
    const before =
      texts
        .slice(0, index + 1)
        .map(directionOf)
        .findLast((direction) => direction !== null) ?? base
    return before === 'ltr'
  })
}
