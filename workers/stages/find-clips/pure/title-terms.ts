/** PURE. The words that a clip is about: rare ones of its talk that come often in it, nouns before others. */
import { isUnspacedLetter } from '../../../../server/contract/join-words.ts'
import { languageCode, patternsOf } from './languages.ts'
import { bare, isContent, shorten, stem, wordsIn } from './text-tools.ts'
import { TITLE_LENGTH, type TextFacts } from './title-lines.ts'
import { nounSignsOf, type NounSigns } from './noun-signs.ts'
import { countMatches, plainText } from './word-patterns.ts'

export interface Term {
  readonly times: number
  readonly weight: number
  /** As it is written inside a sentence. */
  readonly written: string
  /** It follows a determiner somewhere, or is written with a capital inside a sentence. */
  readonly isNoun: boolean
  /** How often it does. */
  readonly asNoun: number
}

/** Words of one clip that count for its topic, at most. */
const MOST_WEIGHT = 2.4
/** The rarity of a word that comes in a single passage of half an hour. */
const RARE = 3

/** What the clip is about: its content words, by how rare they are in the talk and how often they come in it. */
export function weighTerms({
  sentences,
  idf,
  language,
}: Pick<TextFacts, 'sentences' | 'idf' | 'language'>): ReadonlyMap<string, Term> {
  const signs = nounSignsOf(language)
  const seen = new Map<string, { times: number; written: string; asNoun: number }>()
  for (const { text } of sentences) {
    const words = wordsIn(text)
    words.forEach((word, at) => {
      const plain = bare(word)
      if (!isContent(plain)) return
      const before = words[at - 1] ?? ''
      const isInside = at > 0 && !/[.!?…:"“«]$/.test(before)
      const capital = isInside && /^\p{Lu}/u.test(word)
      const key = stem(plain)
      const known = seen.get(key)
      const written = word.replace(/^[("'“‘«¿¡]+|[.,;:!?…"”’»)]+$/gu, '').replace(/['’]s$/, '')
      seen.set(key, {
        times: (known?.times ?? 0) + 1,
        written: known !== undefined && !isInside ? known.written : written,
        asNoun: (known?.asNoun ?? 0) + Number(capital || isNounHere(words, at, signs)),
      })
    })
  }
  return new Map(
    [...seen].map(([key, { times, written, asNoun }]) => {
      const isNoun = asNoun > 0
      const rarity = Math.min(1, (idf.get(key) ?? 1) / RARE) * (isNoun ? 1.2 : 0.8)
      const weight = Math.min(MOST_WEIGHT, rarity * (0.6 + 0.6 * times))
      return [key, { times, weight, written, isNoun, asNoun }]
    }),
  )
}

/** Articles that are also pronouns: after a subject, a verb follows them. */
const OBJECTS = /^(?:le|la|les|lo|los|las)$/

/** Whether a word ends, or in languages with the noun first begins, what a determiner began. */
function isNounHere(words: readonly string[], at: number, signs: NounSigns | null): boolean {
  const before = words[at - 1] ?? ''
  if (signs === null || /[,;:]$/.test(before) || !signs.determiner.test(bare(before))) return false
  if (OBJECTS.test(bare(before)) && (at === 1 || signs.subject.test(bare(words[at - 2] ?? '')))) return false
  const after = bare(words[at + 1] ?? '')
  return !signs.nounLast || /[.,;:!?]$/.test(words[at] ?? '') || !(isContent(after) || /^ones?$/.test(after))
}

/** The words that a clip is about, heaviest first: nouns, where they are known. */
export const topicWords = (facts: TextFacts, count: number): string[] =>
  heaviestOf(weighTerms(facts), facts).slice(0, count)

export const topicPhrase = (terms: ReadonlyMap<string, Term>, facts: TextFacts): string =>
  shorten(heaviestOf(terms, facts).slice(0, 3).join(', '), TITLE_LENGTH)

const heaviestOf = (terms: ReadonlyMap<string, Term>, { language }: TextFacts): string[] =>
  termsToName([...terms.values()], language)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ written }) => written)

/** Those by which something can be called: nouns, where they are known; no numbers, and no words that only stress. */
export function termsToName<One extends Term>(terms: readonly One[], language: string): One[] {
  const german = languageCode(language) === 'de'
  const patterns = patternsOf(language)
  const isNoName = (word: string): boolean =>
    patterns !== null &&
    (countMatches(word, patterns.number) + countMatches(word, patterns.strong) > 0 ||
      patterns.point.test(word) ||
      /['’]/.test(word))
  const long = terms.filter(
    ({ written }) => (written.length > 3 || isUnspacedLetter(written)) && !isNoName(plainText(written)),
  )
  const nouns = long.filter(({ isNoun, written }) => isNoun && (!german || /^\p{Lu}/u.test(written)))
  return nouns.length >= 2 ? nouns : long
}
