/**
 * PURE: how texts are compared in lists of clips. Triggers index texts in plain SQL, without functions of ours, so every
 * rule here works letter by letter and is written into a table that SQL looks letters up in (index-sql.ts).
 */

/** Scripts that put no spaces between words, as the inside of a character class: each letter counts as a word. */
export const UNSPACED_LETTERS =
  '\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3021-\u3029\u3040-\u30FF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{3FFFF}'

const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, 'u')
const WORDS = new RegExp(`[${UNSPACED_LETTERS}]|(?:(?![${UNSPACED_LETTERS}])[\\p{L}\\p{N}])+`, 'gu')

export interface FoldedLetter {
  readonly letter: string
  /** Without accents and case: what titles are sorted by. May be several letters, or none. */
  readonly plain: string
  /** The same, with spaces around where it is a word by itself. */
  readonly word: string
  /** Without case. */
  readonly lower: string
}

const isHangul = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3

/** Hangul syllables stay whole: they sort and match as well as their parts do. */
function plainLetter(letter: string): string {
  if (isHangul(letter.codePointAt(0) ?? 0)) return letter
  return letter.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

const wordLetter = (letter: string): string =>
  [...plainLetter(letter)].map((one) => (UNSPACED.test(one) ? ` ${one} ` : one)).join('')

/** Where letters are that fold to others: not among the 100,000 ideographs, syllables and surrogates in between. */
const FOLDING_RANGES = [
  [0x80, 0x33ff],
  [0xa000, 0xabff],
  [0xe000, 0x16fff],
  [0x1b000, 0x1f2ff],
  [0x2f800, 0x2fa1f],
] as const

/** The letters beyond ASCII that are not compared as they are; unspaced ones that only need spaces are left out. */
export function foldedLetters(): FoldedLetter[] {
  const folded: FoldedLetter[] = []
  for (const [first, last] of FOLDING_RANGES)
    for (let code = first; code <= last; code += 1) {
      const letter = String.fromCodePoint(code)
      const plain = plainLetter(letter)
      const lower = letter.toLowerCase()
      if (plain === letter && lower === letter) continue
      folded.push({ letter, plain, word: wordLetter(letter), lower })
    }
  return folded
}

/** The words of a query as they are indexed, in order, each once. */
export function wordsOf(text: string): string[] {
  const folded = Array.from(text.normalize('NFC'), plainLetter).join('')
  return [...new Set(folded.match(WORDS))]
}

const lowerLetters = (text: string): string => Array.from(text, (letter) => letter.toLowerCase()).join('')

/** What names are compared by. Stored accents were not normalized, so both spellings are looked for. */
export function nameKeys(name: string): string[] {
  const tidy = name.trim()
  return [...new Set([lowerLetters(tidy.normalize('NFC')), lowerLetters(tidy.normalize('NFD'))])]
}
