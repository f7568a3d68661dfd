/** How long a text is, as platforms count: the studio shows what the appliance will check. */
import type { Static } from '@sinclair/typebox'
import { choice } from './config-fields.ts'

/** `weighted`: as X counts. Lengths in `bytes` are of UTF-8. */
export const TextUnit = choice(['characters', 'graphemes', 'bytes', 'weighted'])
export type TextUnit = Static<typeof TextUnit>

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const ADDRESS = /https?:\/\/[^\s]+/giu
/** Every address counts as this many on X, whatever its length. */
const ADDRESS_WEIGHT = 23

/** X counts 1 for Latin and general punctuation and 2 for everything else, emoji included (its "weighted" length). */
function weightOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  const light =
    code <= 0x10ff ||
    (code >= 0x2000 && code <= 0x200d) ||
    (code >= 0x2010 && code <= 0x201f) ||
    (code >= 0x2032 && code <= 0x2037)
  return light ? 1 : 2
}

function weighted(text: string): number {
  const addresses = text.match(ADDRESS)?.length ?? 0
  const rest = text.replaceAll(ADDRESS, '').normalize('NFC')
  let length = addresses * ADDRESS_WEIGHT
  for (const { segment } of graphemes.segment(rest))
    // A whole emoji counts as one character of two, however many code points make it.
    length += /\p{Extended_Pictographic}/u.test(segment)
      ? 2
      : [...segment].reduce((sum, character) => sum + weightOf(character), 0)
  return length
}

/** Bytes in UTF-8; half a surrogate pair counts as the mark that is written for it. */
function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** The length in the platform's own unit. `characters`: UTF-16, as most platforms count. */
export function textLength(text: string, unit: TextUnit): number {
  switch (unit) {
    case 'characters':
      return text.length
    case 'graphemes':
      return [...graphemes.segment(text)].length
    case 'bytes':
      return [...text].reduce((sum, character) => sum + bytesOf(character), 0)
    case 'weighted':
      return weighted(text)
  }
}
