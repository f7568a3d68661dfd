/** PURE. The language of a transcript that does not say which it is. */
import { anywhere, countMatches, plainText } from './word-patterns.ts'

/** Words that every text of a language is full of, none of them common in another of these languages. */
const FREQUENT: Readonly<Record<string, RegExp>> = {
  en: anywhere('the, and, of, to, was, with, that, you, is, it'),
  es: anywhere('que, el, los, y, una, por, con, las, del, pero'),
  de: anywhere('der, die, und, das, ist, nicht, ich, ein, mit, auf'),
  fr: anywhere('le, les, des, et, est, dans, pas, je, qui, une'),
}
/** How many of the commonest words of each language a text has. */
export function countFrequent(text: string): Readonly<Record<string, number>> {
  const lower = plainText(text)
  return Object.fromEntries(
    Object.entries(FREQUENT).map(([code, pattern]) => [code, countMatches(lower, pattern)]),
  )
}

/** Of the words that are looked at, so many are such words, and so many times more than of the next language. */
const LEAST_SHARE = 0.08
const CLEARLY = 1.5
const MOST_TEXT = 20_000

/** The language of a text by its most frequent words: a code of those above; null where none is clear. */
export function recogniseLanguage(text: string): string | null {
  const lower = plainText(text.slice(0, MOST_TEXT))
  const words = lower.split(/\s+/).length
  const [first, second] = Object.entries(FREQUENT)
    .map(([code, pattern]) => ({ code, share: countMatches(lower, pattern) / words }))
    .toSorted((a, b) => b.share - a.share)
  const isClear =
    first !== undefined && first.share >= LEAST_SHARE && first.share >= CLEARLY * (second?.share ?? 0)
  return isClear ? first.code : null
}

/** The language as it is known, or as its words show it. */
export const languageOf = (language: string, sentences: readonly { readonly text: string }[]): string =>
  /^(und|mul|mis|zxx)?$/i.test(language)
    ? (recogniseLanguage(sentences.map(({ text }) => text).join(' ')) ?? 'und')
    : language
