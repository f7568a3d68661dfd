/** PURE. Joins transcript words into text: with a space, or without one in scripts that have none. */

/** A letter or mark of a script that writes no spaces between words: Han, kana, Thai, Lao, Khmer and Myanmar. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\u3001-\u3011\uff01-\uff60]/u

export function isUnspacedLetter(letter: string): boolean {
  return UNSPACED.test(letter)
}

/** Whether no space is written between two words. */
export function joinsWithoutSpace(before: string, after: string): boolean {
  return UNSPACED.test([...before.slice(-2)].at(-1) ?? '') && UNSPACED.test([...after.slice(0, 2)][0] ?? '')
}

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
