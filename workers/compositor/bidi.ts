/** Order of words in a line by Unicode's bidirectional algorithm; inside a word the font engine orders letters. */
import createBidi, { type Bidi } from 'bidi-js'
import type { Direction } from './text.ts'

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
