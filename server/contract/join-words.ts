/** PURE. Joins transcript words into text, and says where its lines may break, in scripts with spaces and without. */

/** A letter or mark of a script that writes no spaces between words: Han, kana, Thai, Lao, Khmer and Myanmar. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\u3001-\u3011\uff01-\uff60]/u

export const isUnspacedLetter = (letter: string): boolean => UNSPACED.test(letter)

/** Whether no space is written between two words. */
export const joinsWithoutSpace = (before: string, after: string): boolean =>
  UNSPACED.test([...before.slice(-2)].at(-1) ?? '') && UNSPACED.test([...after.slice(0, 2)][0] ?? '')

/** The words as a text. */
export function joinWords(words: readonly string[]): string {
  let text = ''
  let before: string | undefined
  for (const word of words) {
    text += before === undefined || joinsWithoutSpace(before, word) ? word : ` ${word}`
    before = word
  }
  return text
}

/** May not start a line: closing punctuation, small kana, the long vowel mark, Thai vowels and marks that follow. */
const NOT_FIRST =
  /^[\p{Pe}\p{Pf}\p{M}\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1a\uff1b\u30fb\u3005\u30fc\u2026\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u30ee\u0e2f\u0e46!?.,:;%)\]}]/u
/** May not end a line: opening brackets and quotes. */
const NOT_LAST = /[\p{Ps}\p{Pi}]$/u

/** Whether a line may end after `before` and the next one start with `after`, no space being between them. */
export const mayBreakBetween = (before: string, after: string): boolean =>
  !NOT_FIRST.test(after) && !NOT_LAST.test(before)
