/** Text without fonts: where words of scripts without spaces may be broken, and about how wide they are. */
import { mayBreakBetween } from '../../contract/join-words.ts'

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

type Kind = 'hiragana' | 'unspaced' | 'other'

function kindOf(letter: string): Kind {
  if (/\p{Script=Hiragana}/u.test(letter)) return 'hiragana'
  return isUnspaced(letter) ? 'unspaced' : 'other'
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
    const before = kindOf(letters[index - 1] ?? '')
    const now = kindOf(letter)
    const change = (before === 'hiragana' && now !== 'hiragana') || (before === 'other') !== (now === 'other')
    const may = mayBreakBetween(part, letter)
    const length = [...part].length
    const full = length >= (now === 'hiragana' ? MAX_KANA : LONGEST) && letters.length - index > 2
    if (may && ((change && length >= 2) || full)) {
      parts.push(part)
      part = ''
    }
    part += letter
  })
  return [...parts, part]
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

/** Scripts that write without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\u3005\u3007]/u
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\p{Extended_Pictographic}]/u
const NO_WIDTH = /[\p{M}\p{Cf}]/u

const MONTSERRAT = [0.63, 0.76, 0.29] as const
/** Average advance per letter in font sizes, measured on the bundled files: lower case, upper case, space. */
const FAMILIES: Readonly<Record<string, readonly [number, number, number]>> = {
  montserrat: MONTSERRAT,
  poppins: [0.62, 0.7, 0.2],
  inter: [0.58, 0.71, 0.23],
  lora: [0.55, 0.7, 0.26],
  anton: [0.47, 0.48, 0.23],
  'bebas neue': [0.4, 0.4, 0.16],
  'noto sans': [0.59, 0.69, 0.26],
}

export interface WidthFace {
  readonly fontFamily: string
  readonly textCase: 'none' | 'upper' | 'lower' | 'title'
}

export function estimateWidth(text: string, face: WidthFace): number {
  const [lower, upper, space] = FAMILIES[face.fontFamily.trim().toLowerCase()] ?? MONTSERRAT
  let width = 0
  for (const letter of text) {
    if (NO_WIDTH.test(letter)) continue
    else if (WIDE.test(letter)) width += 1
    else if (letter === ' ') width += space
    else if ("ijlI.,:;'!|’".includes(letter)) width += lower * (face.textCase === 'upper' ? 0.6 : 0.5)
    else if ('mwMW@%'.includes(letter)) width += upper * 1.4
    else width += face.textCase === 'upper' || /\p{Lu}/u.test(letter) ? upper : lower
  }
  return width
}

/** Characters as maxCharsPerLine counts them: a wide letter is two, a mark on another letter none. */
export function columns(text: string): number {
  let count = 0
  for (const letter of text) {
    if (!NO_WIDTH.test(letter)) count += WIDE.test(letter) ? 2 : 1
  }
  return count
}

function isUnspaced(text: string): boolean {
  return UNSPACED.test(text)
}
