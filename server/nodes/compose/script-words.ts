/** Splits words of scripts without spaces, which may be whole clauses, where a line may break. */
import { mayBreakBetween } from '../../contract/join-words.ts'
import { isUnspaced } from './text-width.ts'

/** Units longer than this, in characters, are split even where the script does not change; kana runs are endings. */
const LONGEST = 6
const MAX_KANA = 9
/** Scripts whose words can be separated only by a dictionary. */
const DICTIONARY: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Lao}/u, 'lo'],
  [/\p{Script=Khmer}/u, 'km'],
  [/\p{Script=Myanmar}/u, 'my'],
]
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

type Kind = 'hiragana' | 'katakana' | 'han' | 'other'

function kindOf(letter: string): Kind {
  if (/\p{Script=Hiragana}/u.test(letter)) return 'hiragana'
  if (/[\p{Script=Katakana}\u30fc]/u.test(letter)) return 'katakana'
  return /\p{Script=Han}/u.test(letter) ? 'han' : 'other'
}

/**
 * The parts of a word; joined they give the word again. Words of spaced scripts come back whole. Japanese breaks after
 * a run of hiragana (the endings of words), the others between words of the dictionary.
 */
export function splitUnspacedWord(word: string): string[] {
  const letters = [...word]
  const language = DICTIONARY.find(([script]) => script.test(word))?.[1]
  if (language !== undefined) return dictionaryWords(word, language)
  if (!isUnspaced(word) || letters.length <= LONGEST) return [word]
  if (!KANA.test(word)) return dictionaryWords(word, 'zh')
  const parts: string[] = []
  let part = ''
  letters.forEach((letter, index) => {
    const before = index === 0 ? null : kindOf(letters[index - 1] ?? '')
    const now = kindOf(letter)
    const change = (before === 'hiragana' && now !== 'hiragana') || (before === 'other') !== (now === 'other')
    const may = part !== '' && mayBreakBetween(part, letter)
    const length = [...part].length
    const full = length >= (now === 'hiragana' ? MAX_KANA : LONGEST) && letters.length - index > 2
    if (may && ((change && length >= 2) || full)) {
      parts.push(part)
      part = ''
    }
    part += letter
  })
  return part === '' ? parts : [...parts, part]
}

/** Words by the dictionary, each with the punctuation that belongs to it. */
function dictionaryWords(text: string, language: string): string[] {
  const parts: string[] = []
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    const before = parts.at(-1)
    if (before === undefined || mayBreakBetween(before, segment)) parts.push(segment)
    else parts[parts.length - 1] = before + segment
  }
  return parts
}

/** A text with a zero-width space wherever a line may break without a space. */
export function withBreaks(text: string): string {
  return text
    .split(' ')
    .map((word) => splitUnspacedWord(word).join('\u200b'))
    .join(' ')
}
