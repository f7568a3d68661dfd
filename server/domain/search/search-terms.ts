/**
 * PURE: what a person typed, as words; those words as an expression for FTS5's MATCH; and where they are in a text. The
 * expression is made of quoted strings only, so that nothing that anybody types is syntax.
 */
import type { TextPart } from '../../contract/tenant-api/search.ts'

/** Scripts that are written without spaces, as the index splits them (migration 0007, the same ranges). */
const UNSPACED =
  '\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3134f}'
const UNSPACED_CHARACTER = new RegExp(`^[${UNSPACED}]`, 'u')
const TOKEN = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{Co}\\p{M}])+`, 'gu')
/** What FTS5 sees a word in. */
const WORD = /[\p{L}\p{N}\p{Co}]/u
/** Shorter beginnings match too much of a large index; the index of beginnings is made for this length. */
const MIN_PREFIX = 3

/** A word, or adjacent words. */
export interface SearchTerm {
  /** Folded words; the characters of Chinese and Japanese are words of their own. */
  readonly words: readonly string[]
  /** The last word may be the beginning of a longer one. */
  readonly prefix: boolean
}

interface Token {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Without case and diacritics, as the index has it. */
const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

function tokens(text: string): Token[] {
  const found: Token[] = []
  for (const match of text.matchAll(TOKEN)) {
    const [whole] = match
    if (WORD.test(whole))
      found.push({ word: fold(whole), start: match.index, end: match.index + whole.length })
  }
  return found
}

/** Whether a character of Chinese or Japanese. */
const isUnspaced = (word: string): boolean => UNSPACED_CHARACTER.test(word)

/**
 * The terms of a query. `shortPrefixes`: the last word is a beginning however short it is (a small index). None: there is
 * no word in it.
 */
export function searchTerms(query: string, options: { shortPrefixes: boolean }): SearchTerm[] {
  const terms: SearchTerm[] = []
  const pieces = [...query.matchAll(/"([^"]*)"?|[^\s"]+/gu)]
  for (const [index, [piece, quoted]] of pieces.entries()) {
    const words = tokens(quoted ?? piece).map(({ word }) => word)
    const last = words.at(-1)
    if (last === undefined) continue
    const open = index === pieces.length - 1 && quoted === undefined && !/\s$/u.test(query)
    const long = options.shortPrefixes || last.length >= MIN_PREFIX
    terms.push({ words, prefix: open && (isUnspaced(last) ? words.length === 1 : long) })
  }
  const known = new Set<string>()
  return terms.filter((term) => {
    const key = JSON.stringify(term)
    return !known.has(key) && known.add(key)
  })
}

/** Folded words hold letters and digits only, so there is no quote to escape. */
const quoted = (words: readonly string[]): string => `"${words.join(' ')}"`

/** A run of Chinese or Japanese as the index has it: pairs of characters, a character alone where it is alone. */
function indexed(words: readonly string[]): string[] {
  const made: string[] = []
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    const previous = words[at - 1]
    if (!isUnspaced(word)) made.push(word)
    else if (next !== undefined && isUnspaced(next)) made.push(word + next)
    // The end of a run is a word of its own in the index only where the run ends in the text too.
    else if (next !== undefined || previous === undefined || !isUnspaced(previous)) made.push(word)
  }
  return made
}

const UNSPACED_PAIR = new RegExp(`([${UNSPACED}])(?=([${UNSPACED}])?)`, 'gu')

/** A text as the index has it: pairs of Chinese and Japanese characters as words. */
export const indexedText = (text: string): string =>
  text.replaceAll(UNSPACED_PAIR, (_whole, one: string, next: string | undefined) =>
    next === undefined ? ` ${one} ` : ` ${one}${next}`,
  )

/** The MATCH of one term. A single character is indexed as the beginning of a pair, or as the end of a run. */
function matchOf(term: SearchTerm): string {
  const alone = term.words.length === 1 && isUnspaced(term.words[0] ?? '')
  return `${quoted(indexed(term.words))}${term.prefix || alone ? ' *' : ''}`
}

/** The MATCH of each word of a term separately, none as a prefix. */
export function wordsOfTerm(term: SearchTerm): string[] {
  const words = indexed(term.words)
  return words.length === 1
    ? [matchOf({ ...term, prefix: false })]
    : [...new Set(words)].map((word) => quoted([word]))
}

/** The MATCH of all terms together; `columns`: only there. */
export function matchAll(terms: readonly SearchTerm[], columns?: readonly string[]): string {
  const all = `(${terms.map(matchOf).join(' AND ')})`
  return columns === undefined ? all : `{${columns.join(' ')}} : ${all}`
}

/** The words of a text, without their places. Most texts are plain ASCII, and are split much faster. */
function wordsOf(text: string): readonly string[] {
  // eslint-disable-next-line no-control-regex -- all of ASCII is meant
  return /^[\x00-\x7f]*$/.test(text)
    ? (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    : tokens(text).map(({ word }) => word)
}

function isAt({ words, prefix }: SearchTerm, text: readonly string[], at: number): boolean {
  const last = words.length - 1
  for (let index = 0; index <= last; index += 1) {
    const candidate = text[at + index] ?? ''
    const word = words[index] ?? ''
    if (candidate !== word && !(prefix && index === last && candidate.startsWith(word))) return false
  }
  return true
}

/** Where a term begins in a text, in order, none within another. */
function startsOf(term: SearchTerm, text: readonly string[]): number[] {
  const starts: number[] = []
  for (let at = 0; at + term.words.length <= text.length; at += 1) {
    if (!isAt(term, text, at)) continue
    starts.push(at)
    at += term.words.length - 1
  }
  return starts
}

const isWholeWord = ({ words, prefix }: SearchTerm): boolean => words.length === 1 && !prefix

/** How often each term is in a text, and how many words the text has. */
export function countTerms(terms: readonly SearchTerm[], text: string): { counts: number[]; length: number } {
  const words = wordsOf(text)
  // Whole words are counted in one pass: most terms are such, and hundreds of texts are looked at for a page.
  const alone = new Map<string, number>()
  for (const term of terms) if (isWholeWord(term)) alone.set(term.words[0] ?? '', 0)
  if (alone.size > 0)
    for (const word of words) {
      const before = alone.get(word)
      if (before !== undefined) alone.set(word, before + 1)
    }
  const countOf = (term: SearchTerm): number =>
    isWholeWord(term) ? (alone.get(term.words[0] ?? '') ?? 0) : startsOf(term, words).length
  return { counts: terms.map(countOf), length: words.length }
}

/** The text in pieces, those that match marked. */
export function markTerms(terms: readonly SearchTerm[], text: string): TextPart[] {
  return marked(text, placesOfAll(terms, text))
}

type Place = { readonly start: number; readonly end: number }

function placesOfAll(terms: readonly SearchTerm[], text: string): Place[] {
  const split = tokens(text)
  const words = split.map(({ word }) => word)
  const sorted = terms
    .flatMap((term) =>
      startsOf(term, words).map((at) => ({
        start: split[at]?.start ?? 0,
        end: split[at + term.words.length - 1]?.end ?? 0,
      })),
    )
    .sort((a, b) => a.start - b.start)
  const merged: Place[] = []
  for (const place of sorted) {
    const last = merged.at(-1)
    if (last !== undefined && place.start < last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, place.end) }
    else merged.push(place)
  }
  return merged
}

function marked(text: string, places: readonly Place[]): TextPart[] {
  const parts: TextPart[] = []
  const push = (piece: string, match: boolean): void => {
    if (piece !== '') parts.push({ text: piece, match })
  }
  let at = 0
  for (const { start, end } of places) {
    push(text.slice(at, start), false)
    push(text.slice(start, end), true)
    at = end
  }
  push(text.slice(at), false)
  return parts
}

/** Characters before the first match, and of the whole passage. */
const BEFORE = 60
const PASSAGE = 240

/** A passage around the place where most of the terms are near to each other; its beginning where none is. */
export function snippetOf(terms: readonly SearchTerm[], text: string): TextPart[] {
  const flat = text.replaceAll(/\s+/gu, ' ').trim()
  const places = placesOfAll(terms, flat)
  let best = 0
  let most = 0
  for (const [index, { start }] of places.entries()) {
    let inside = index
    while ((places[inside]?.end ?? Infinity) <= start - BEFORE + PASSAGE) inside += 1
    if (inside - index > most) [best, most] = [start, inside - index]
  }
  const from = wordBorder(flat, Math.max(0, best - BEFORE), 1)
  const to = wordBorder(flat, Math.min(flat.length, from + PASSAGE), -1)
  const shown = places.filter(({ start, end }) => start >= from && end <= to)
  const parts = marked(
    flat.slice(from, to),
    shown.map(({ start, end }) => ({ start: start - from, end: end - from })),
  )
  const ellipsis = { text: '…', match: false }
  return [...(from > 0 ? [ellipsis] : []), ...parts, ...(to < flat.length ? [ellipsis] : [])]
}

/** The nearest space within a few characters, so that no word is cut where words have spaces; never half a character. */
function wordBorder(text: string, at: number, direction: 1 | -1): number {
  if (at === 0 || at === text.length) return at
  for (let step = 0; step < 30; step += 1) {
    const here = at + step * direction
    if (text[here] === ' ') return direction === 1 ? here + 1 : here
  }
  const low = text.charCodeAt(at) & 0xfc00
  return low === 0xdc00 ? at + 1 : at
}
