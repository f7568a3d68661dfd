/** PURE: what is compared instead of the text itself: names of people, tags and keywords; words; titles in order. */

// Plain text, which most is, needs none of what follows.
// eslint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/

/** Scripts that put no spaces between words: each letter counts by itself. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+/gu
const ASCII_WORDS = /[a-z0-9]+/g

/** Without accents, in lower case. */
const plain = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The words of a text, in order. */
export function wordsOf(text: string): readonly string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORDS) ?? []
  return plain(text).match(WORDS) ?? []
}

/** Two names with one key are the same tag, person or keyword. */
export function keyOf(name: string): string {
  const tidy = name.trim()
  return (ASCII.test(tidy) ? tidy : tidy.normalize('NFC')).toLowerCase()
}

/** A title is sorted by so much of it; ids decide between equals. */
const SORTED_CHARACTERS = 100

export function sortTextOf(title: string): string {
  const bare = plain(title.trim())
  return bare.length <= SORTED_CHARACTERS ? bare : bare.slice(0, SORTED_CHARACTERS).toWellFormed()
}
