/**
 * Language of captions and titles: from the script of their letters, or from the document where letters are ambiguous.
 */
import type { TranscriptWord } from '../../contract/transcript.ts'
import { HABITS } from '../speech/filler-lists.ts'
import { bare } from '../speech/spoken-text.ts'

const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Thai}/u, 'th'],
]
/** Languages that write with the letters of another. */
const SAME_LETTERS: Readonly<Record<string, readonly string[]>> = {
  zh: ['zh', 'ja', 'ko', 'yue'],
  he: ['he', 'yi'],
  ar: ['ar', 'fa', 'ur', 'ps', 'ckb'],
  hi: ['hi', 'mr', 'ne'],
}

/**
 * BCP 47 tag of a script that most of the words are in, or `known` (the document's language) where it is written with
 * the same letters, or with letters that many languages share; `und` when nothing is known.
 */
export function languageOf(words: readonly string[], known?: string): string {
  const primary = known?.toLowerCase().split('-')[0] ?? ''
  for (const [script, language] of SCRIPTS) {
    const count = words.filter((word) => script.test(word)).length
    if (count * (language === 'ja' ? 5 : 2) <= words.length) continue
    return known !== undefined && SAME_LETTERS[language]?.includes(primary) === true ? known : language
  }
  // Letters that many languages share: the document knows, unless it speaks of one that has letters of its own.
  const own = SCRIPTS.some(
    ([, language]) => language === primary || SAME_LETTERS[language]?.includes(primary) === true,
  )
  return known === undefined || own ? 'und' : known
}

/** Three-letter tags that containers use. */
const LONG_TAGS: Readonly<Record<string, string>> = {
  eng: 'en',
  deu: 'de',
  ger: 'de',
  fra: 'fr',
  fre: 'fr',
  spa: 'es',
  por: 'pt',
  ita: 'it',
  nld: 'nl',
  dut: 'nl',
}

/** Share of small words below which words are not believed to be in a language. */
const ENOUGH = 0.2

const SMALL: readonly (readonly [string, ReadonlySet<string>])[] = Object.entries(HABITS).map(
  ([language, { openers, small }]) => [language, new Set([...openers, ...small])],
)

/** Primary tag, `en`; empty when neither the tag nor the words decide. */
export function detectTextLanguage(tag: string | undefined, words: readonly TranscriptWord[]): string {
  const primary = (tag ?? '').toLowerCase().split(/[-_]/u)[0] ?? ''
  const known = Object.hasOwn(LONG_TAGS, primary) ? (LONG_TAGS[primary] ?? primary) : primary
  if (known !== '' && known !== 'und') return known
  const spoken = words.map(({ word }) => bare(word)).filter((word) => word !== '')
  let best = ''
  let most = 0
  for (const [language, small] of SMALL) {
    const share = spoken.filter((word) => small.has(word)).length / Math.max(1, spoken.length)
    if (share > most) [best, most] = [language, share]
  }
  return most >= ENOUGH ? best : ''
}
