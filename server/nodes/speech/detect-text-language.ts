/** Detects the language of words: from the given tag, else from their function words. */
import type { TranscriptWord } from '../../contract/transcript.ts'
import { HABITS } from './filler-lists.ts'
import { bare } from './spoken-text.ts'

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
