/** Finds spoken words of a transcript: whole phrases exactly, else the most similar. Sentences. PURE. */
import { editDistance, bare, endsSentence } from '../speech/spoken-text.ts'

/** As much of a word as is needed to find it. */
export interface SpokenWord {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Positions of the first and the last word. */
export interface WordSpan {
  readonly first: number
  readonly last: number
}

interface Token {
  readonly text: string
  readonly at: number
}

/** The pieces of words as they are compared. A word that was corrected may hold several. */
function tokensOf(words: readonly Pick<SpokenWord, 'word'>[]): Token[] {
  return words.flatMap(({ word }, at) =>
    word
      .split(/[\s\u2010-\u2015-]+/u)
      .map(bare)
      .filter((text) => text !== '')
      .map((text) => ({ text, at })),
  )
}

const piecesOf = (phrase: string): string[] => tokensOf([{ word: phrase }]).map(({ text }) => text)

/** Everywhere that the phrase is said, to the letter but for case and marks; spans do not overlap. */
export function findPhrase(words: readonly Pick<SpokenWord, 'word'>[], phrase: string): WordSpan[] {
  const pieces = piecesOf(phrase)
  const [wanted] = pieces
  if (wanted === undefined) return []
  const tokens = tokensOf(words)
  const found: WordSpan[] = []
  for (let at = 0; at + pieces.length <= tokens.length; at++) {
    if (tokens[at]?.text !== wanted) continue
    if (!pieces.every((piece, offset) => tokens[at + offset]?.text === piece)) continue
    found.push({ first: tokens[at]?.at ?? 0, last: tokens[at + pieces.length - 1]?.at ?? 0 })
    at += pieces.length - 1
  }
  return found
}

/** Share of letters in which two words agree, 0 to 1, by the fewest changes that make one the other. */
function likeness(a: string, b: string): number {
  if (a === b) return 1
  const longest = Math.max(a.length, b.length)
  if (longest === 0 || Math.min(a.length, b.length) / longest < 0.5) return 0
  return 1 - editDistance(a, b) / longest
}

/** How well a stretch of tokens says the pieces, 0 to 1: the best pairing in order; left-out and added words cost. */
function agreement(pieces: readonly string[], said: readonly Token[]): number {
  let row = Array.from({ length: said.length + 1 }, () => 0)
  for (const piece of pieces) {
    const next = [0]
    for (let j = 1; j <= said.length; j++) {
      const alike = likeness(piece, said[j - 1]?.text ?? '')
      next.push(Math.max(row[j] ?? 0, next[j - 1] ?? 0, (row[j - 1] ?? 0) + (alike >= 0.6 ? alike : 0)))
    }
    row = next
  }
  return (2 * (row[said.length] ?? 0)) / (pieces.length + said.length)
}

/** The stretch that says most nearly this, and how nearly (0 to 1); null where nothing is like it. */
export function nearestPhrase(
  words: readonly Pick<SpokenWord, 'word'>[],
  phrase: string,
): { readonly span: WordSpan; readonly likeness: number } | null {
  const pieces = piecesOf(phrase).slice(0, 40)
  const tokens = tokensOf(words)
  let best: { span: WordSpan; likeness: number } | null = null
  // A stretch that is like it begins with a word that is like one of its first.
  const openers = pieces.slice(0, 3)
  for (let at = 0; at < tokens.length; at++) {
    const opener = tokens[at]?.text ?? ''
    if (!openers.some((piece) => likeness(piece, opener) >= 0.6)) continue
    for (let length = Math.max(1, pieces.length - 1); length <= pieces.length + 1; length++) {
      const said = tokens.slice(at, at + length)
      const value = said.length === length ? agreement(pieces, said) : 0
      if (value <= (best?.likeness ?? 0.3)) continue
      best = { span: { first: said[0]?.at ?? 0, last: said.at(-1)?.at ?? 0 }, likeness: value }
    }
  }
  return best
}

/** A pause that parts sentences where nobody wrote any marks, seconds. */
const SENTENCE_PAUSE = 0.6

/** Sentences as positions in the list of all words, of those at `heard`. Where none is marked, pauses part them. */
export function sentencesOf(words: readonly SpokenWord[], heard: readonly number[]): WordSpan[] {
  const inner = heard.slice(0, -1)
  const marked = inner.some((at) => endsSentence(words[at]?.word ?? ''))
  const spans: WordSpan[] = []
  let first: number | undefined
  for (const [rank, at] of heard.entries()) {
    first ??= at
    const word = words[at]
    const next = words[heard[rank + 1] ?? -1]
    const pause = word === undefined || next === undefined ? Infinity : next.start - word.end
    const ends = marked ? endsSentence(word?.word ?? '') : pause >= SENTENCE_PAUSE
    if (!ends && next !== undefined) continue
    spans.push({ first, last: at })
    first = undefined
  }
  return spans
}
