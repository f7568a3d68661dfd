/** PURE. Noun phrases of a sentence, which name what a clip is about where none of its lines can stand alone. */
import type { LanguagePatterns } from './languages.ts'
import { bare, isContent, wordsIn } from './text-tools.ts'
import type { TitlePatterns } from './title-patterns.ts'
import { countMatches } from './word-patterns.ts'

const FEWEST_WORDS = 3
const MOST_WORDS = 9
/** Determiners that point outside of the phrase, or that begin no phrase of their own. */
const POINTS =
  /^(?:this|that|these|those|of|no|any|some|his|her|their|est[ea]s?|es[ea]s?|del|al|ningún|sus?|im|am|zum|zur|keine?|sein|ihr|son|sa|ses|leurs?|aux?|du|cet?|cette|ces|d[ea][nmr]|de[sr]|einem|einen|einer|eines|jede[nmrs]?|each|every)$/

/** Articles that are also pronouns, as which they stand at the beginning or after a subject. */
const OBJECTS = /^(?:la|las|los|lo|le|les)$/
/** Contracted verbs, and "to" before one. */
const VERBAL = /^(?:to|[\p{L}]+ing|(?:qu|s|j|n|c|t|m)'.+)$/u

/** Every run of words that begins with a determiner and ends with a noun, with what prepositions attach to it. */
export function phrasesOf(sentence: string, titles: TitlePatterns, patterns: LanguagePatterns): string[] {
  const words = wordsIn(sentence)
  const phrases: string[] = []
  words.forEach((word, at) => {
    const first = bare(word)
    if (countMatches(first, titles.determiner) === 0 || POINTS.test(first)) return
    if (OBJECTS.test(first) && (at === 0 || titles.subject.test(bare(words[at - 1] ?? '')))) return
    for (let end = at + 1; end < words.length && end - at < MOST_WORDS; end += 1) {
      const before = words[end - 1] ?? ''
      if (/[.,;:!?…—–]["'”’»)]*$/.test(before)) break
      const plain = bare(words[end] ?? '')
      // A second phrase begins where nothing attaches it.
      if (titles.determiner.test(plain) && !isPreposition(bare(before), titles)) break
      if (endsPhrase(plain, titles, patterns) || (end > at + 1 && VERBAL.test(plain))) break
      // "My coordinator's up in the box" is a clause.
      if (/'s$/.test(bare(before)) && isPreposition(plain, titles)) break
      const next = bare(words[end + 1] ?? '')
      const isLast =
        /[.,;:!?…—–]["'”’»)]*$/.test(words[end] ?? '') ||
        next === '' ||
        isPreposition(next, titles) ||
        endsPhrase(next, titles, patterns)
      if (isLast && isNounLike(words[end] ?? '', titles) && end - at + 1 >= FEWEST_WORDS)
        phrases.push(words.slice(at, end + 1).join(' '))
    }
  })
  return phrases
}

const isPreposition = (plain: string, titles: TitlePatterns): boolean => titles.preposition.test(plain)

/** In German nouns are written with a capital. */
const isNounLike = (word: string, titles: TitlePatterns): boolean => {
  const plain = bare(word)
  return (
    isContent(plain) &&
    (!titles.nounsInCapitals || /^\p{Lu}/u.test(word)) &&
    !isPreposition(plain, titles) &&
    countMatches(plain, titles.determiner) === 0 &&
    !/(?:ly|mente)$/.test(plain)
  )
}

const endsPhrase = (plain: string, titles: TitlePatterns, patterns: LanguagePatterns): boolean =>
  [
    titles.verb,
    titles.pointing,
    titles.tail,
    patterns.firstPerson,
    patterns.secondPerson,
    patterns.saying,
  ].some(
    (pattern) =>
      countMatches(plain, pattern) > 0 &&
      !/^(?:my|mi|mis|mein\p{L}*|mon|ma|mes|our|unser\p{L}*|notre|nos)$/u.test(plain),
  ) ||
  (titles.subordinate.test(plain) && !isPreposition(plain, titles)) ||
  countMatches(plain, patterns.negation) > 0
