/** Chinese and Japanese write without spaces: a transcript word may be a clause. It is split where a line may break. */
import { isUnspaced } from './text-width.ts'

/** Units longer than this, in characters, are split even where the script does not change; kana runs are endings. */
const LONGEST = 6
const LONGEST_KANA = 9
/** May not start a line: closing punctuation, small kana, the long vowel mark. */
const NOT_FIRST =
  /^[\p{Pe}\p{Pf}\u3001\u3002\uff0c\uff0e\uff01\uff1f\u30fb\u3005\u30fc\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u30ee!?.,:;)\]}]/u
/** May not end a line: opening brackets. */
const NOT_LAST = /[\p{Ps}\p{Pi}]$/u

type Kind = 'hiragana' | 'katakana' | 'han' | 'other'

function kindOf(letter: string): Kind {
  if (/\p{Script=Hiragana}/u.test(letter)) return 'hiragana'
  if (/[\p{Script=Katakana}\u30fc]/u.test(letter)) return 'katakana'
  return /\p{Script=Han}/u.test(letter) ? 'han' : 'other'
}

/**
 * The parts of a word; joined they give the word again. Words of spaced scripts come back whole. Japanese breaks after
 * a run of hiragana (the endings of words), Chinese after a few characters.
 */
export function splitUnspacedWord(word: string): string[] {
  const letters = [...word]
  if (!isUnspaced(word) || letters.length <= LONGEST) return [word]
  const parts: string[] = []
  let part = ''
  letters.forEach((letter, index) => {
    const before = index === 0 ? null : kindOf(letters[index - 1] ?? '')
    const now = kindOf(letter)
    const change = (before === 'hiragana' && now !== 'hiragana') || (before === 'other') !== (now === 'other')
    const may = part !== '' && !NOT_FIRST.test(letter) && !NOT_LAST.test(part)
    const length = [...part].length
    const full = length >= (now === 'hiragana' ? LONGEST_KANA : LONGEST) && letters.length - index > 2
    if (may && ((change && length >= 2) || full)) {
      parts.push(part)
      part = ''
    }
    part += letter
  })
  return part === '' ? parts : [...parts, part]
}
