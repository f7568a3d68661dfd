/** PURE. Titles from the clip's own words: its best lines, a question of it, and what it is about. */
import { isUnspacedLetter } from '../../../../server/contract/join-words.ts'
import { isEnglish, languageCode, patternsOf, type LanguagePatterns } from './languages.ts'
import { bare, isContent, shorten, stem, wordsIn } from './text-tools.ts'
import { linesOf, TITLE_LENGTH, type Line, type TextFacts } from './title-lines.ts'
import { titlePatternsOf, type TitlePatterns } from './title-patterns.ts'
import { countMatches, plainText } from './word-patterns.ts'
import { SMALL_WORDS } from './word-lists.ts'
import type { TitleProposal } from '../../../../server/contract/clip-candidate.ts'

const MOST_PROPOSALS = 4
/** Lines with a lower worth stand for nothing: what the clip is about is named instead. */
const MIN_WORTH = 3
const MIN_QUESTION = 2
/** A second line with so many of the words of a better one says the same. */
const SAME_SHARE = 0.6

/**
 * One to four titles of at most 60 characters, best first: lines of the clip that can stand alone, as whole sentences or main
 * clauses, one of its questions, and what it is about in its own words, which is the title where no line can stand alone.
 */
export function proposeTitles(facts: TextFacts): TitleProposal[] {
  const context = {
    facts,
    terms: weighTerms(facts),
    patterns: patternsOf(facts.language),
    titles: titlePatternsOf(facts.language),
  }
  const lines = facts.sentences
    .flatMap((sentence, index) =>
      linesOf(sentence.text, context.titles, context.patterns?.announcement).map((line) => ({
        text: line.text,
        worth: worthOfLine({ ...line, index, words: wordsIn(line.text).map(bare) }, context),
      })),
    )
    .toSorted((a, b) => b.worth - a.worth)
  const isQuestion = ({ text }: { readonly text: string }): boolean => text.endsWith('?')
  const best = lines.filter((line) => line.worth >= MIN_WORTH && (!isQuestion(line) || line === lines[0]))
  const question = lines.find((line) => isQuestion(line) && line.worth >= MIN_QUESTION)
  const topic = topicPhrase(context.terms, facts)
  const proposals = [
    ...unlike(best.map(({ text }) => text)).map((text): TitleProposal => ({
      text,
      from: isQuestion({ text }) ? 'question' : 'line',
    })),
    ...(question === undefined ? [] : [{ text: question.text, from: 'question' as const }]),
    ...(topic === '' ? [] : [{ text: topic, from: 'topic' as const }]),
  ].map((one) => ({ ...one, text: styled(one.text, facts.language) }))
  const distinct = proposals.filter(
    ({ text }, index) => proposals.findIndex((other) => other.text === text) === index,
  )
  return distinct.length === 0 ? [{ text: 'Clip', from: 'topic' }] : distinct.slice(0, MOST_PROPOSALS)
}

/** The first two texts that do not say the same. */
function unlike(texts: readonly string[]): string[] {
  const chosen: string[] = []
  for (const text of texts) {
    if (chosen.length >= 2) break
    const words = new Set(wordsIn(text).map(bare))
    const isSame = (other: string): boolean => {
      const shared = wordsIn(other).filter((word) => words.has(bare(word))).length
      return shared >= SAME_SHARE * Math.min(words.size, wordsIn(other).length)
    }
    if (!chosen.some(isSame)) chosen.push(text)
  }
  return chosen
}

const styled = (text: string, language: string): string =>
  isEnglish(language)
    ? titleCase(text)
    : text.replace(/^[^\p{L}\p{N}]*\p{L}/u, (start) => start.toUpperCase())

interface LineContext {
  readonly facts: TextFacts
  readonly terms: ReadonlyMap<string, Term>
  readonly patterns: LanguagePatterns | null
  readonly titles: TitlePatterns | null
}

type PlacedLine = Line & { readonly index: number; readonly words: readonly string[] }

/** A part of a sentence is chosen only where it says much more than any whole one. */
const PART_COSTS = 2.5
const NEVER = 20

/** An announced list says what the clip gives. */
const LIST_WORTH = 3
/** Somebody is called by name at the beginning or the end. */
const ADDRESSED =
  /^(?:\p{Lu}[\p{L}'’-]+ ?){1,2}, \p{L}+ |, (?:Herr |Frau |Mr\.? |Mrs\.? )?\p{Lu}[\p{Ll}]+\??$/u
const YOU = /(?<!\p{L})(?:you|you'd|tu|tú|te|du|usted) (?<verb>\p{L}+)/gu

/** What somebody did is said to the person who did it, not to the viewer. */
const hasPastOf = (plain: string, patterns: LanguagePatterns | null): boolean =>
  [...plain.matchAll(YOU)].some(({ groups }) => countMatches(groups?.['verb'] ?? '', patterns?.past) > 0)

/** Words that the clip is about count most; what points outside of the line, or is no clause, counts against it. */
function worthOfLine(line: PlacedLine, context: LineContext): number {
  const { facts, terms, patterns } = context
  const { text, index, words } = line
  const item = facts.judged[index]
  if (item === undefined || item.logistics || item.reaction) return -100
  const count = (pattern: RegExp | undefined): number => countMatches(plainText(text), pattern)
  const weights = [...new Set(words.map(stem))]
    .map((word) => terms.get(word)?.weight ?? 0)
    .toSorted((a, b) => b - a)
  const topic = weights.reduce((sum, weight, at) => sum + weight * 0.8 ** at, 0)
  const place = index === 0 || index >= facts.sentences.length - 2 ? 1.8 : 0
  const fit = words.length < 5 ? 0.5 : words.length <= 11 ? 1.5 : 0
  // "I took the bet" says nothing to who has not heard the story.
  const own =
    words.length < 7 &&
    patterns?.firstPerson !== undefined &&
    countMatches(words[0] ?? '', patterns.firstPerson) > 0
      ? 1
      : 0
  const claims = 0.8 * Math.min(2, count(patterns?.strong)) + 0.8 * Math.min(1, count(patterns?.number))
  const addresses = 0.6 * Math.min(1, count(patterns?.secondPerson) + count(patterns?.negation))
  const noise = 4 * count(patterns?.filler) + 3 * count(patterns?.housekeeping)
  const quotes = 3 * count(patterns?.saying)
  const address = (ADDRESSED.test(text) ? 4 : 0) + (hasPastOf(plainText(text), patterns) ? 4 : 0)
  const list = line.list && count(context.titles?.pointing) === 0 ? LIST_WORTH : 0
  const hook =
    index === 0 && text.endsWith('?') && context.titles?.asking.test(plainText(text)) === true ? 1.5 : 0
  const broken =
    (line.whole ? 0 : PART_COSTS) +
    1.5 * Math.max(0, text.split(',').length - 2) +
    (hasStutter(words) ? NEVER : 0)
  return (
    topic +
    list +
    hook +
    place +
    fit +
    claims +
    addresses -
    noise -
    quotes -
    address -
    own -
    broken -
    faultsOf(line, context)
  )
}

const REASON =
  /^(?:because|weil|porque|parce|dass|that|which|que|qui|denn|since|although|obwohl|aunque)(?!\p{L})/u

/** How far a line is from a clause that needs nothing before it. */
function faultsOf({ text, whole, list, words }: PlacedLine, { titles, facts }: LineContext): number {
  const lastWords = text.split(/[,;:]/).map((part) => bare(part.split(' ').at(-1) ?? ''))
  const isCut = lastWords.some((word) => titles?.determiner.test(word) === true)
  const open = isCut || /[,;:—–-]$/.test(text) ? NEVER : 0
  if (titles === null) return open
  const plain = plainText(tellGerman(text, facts.language)).replaceAll(titles.idiom, ' · ')
  const count = (pattern: RegExp): number => countMatches(plain, pattern)
  const before = plain.slice(0, Math.max(0, plain.search(titles.pointing))).trim()
  const early = count(titles.pointing) > 0 && (before === '' || !before.includes(' '))
  const points = 2.2 * count(titles.pointing) + (early ? 3 : 0) + 4 * count(titles.elliptic)
  const hasVerb = count(titles.verb) > 0 || plain.includes('·')
  const isPart = !hasVerb && !list && titles.preposition.test(plain)
  // "If it snows, the school is closed" is whole; a reason or a relative clause never is.
  const isWhole = whole && /,/.test(text) && !REASON.test(plain)
  const subordinate = titles.subordinate.test(plain) && !text.endsWith('?') ? (isWhole ? 3 : NEVER) : 0
  return (
    open +
    points +
    5 * count(titles.announcing) +
    (titles.subjectless.test(plain) ? 4 : 0) +
    (text.endsWith('?') && !titles.asking.test(plain) ? 5 : 0) +
    (isPart ? NEVER : hasVerb || list ? 0 : 2) +
    subordinate +
    (titles.loose.test(plain) ? NEVER : 0) +
    (words.length <= 3 ? 1 : 0)
  )
}

/**
 * German as the patterns expect it: the polite "Sie", which differs from "she" by its capital, is left out, and "das" without a noun,
 * which has a capital too, is told from the article.
 */
function tellGerman(text: string, language: string): string {
  if (languageCode(language) !== 'de') return text
  return text
    .replaceAll(/(?<!\p{L})[Dd]as(?= \p{Ll}+(?:$|[,.?! ](?![\p{L} ]*\p{Lu})))/gu, 'dies')
    .replace(/^Das(?= \p{Ll}+ (?:ich|wir|man|[Ss]ie|er|es)(?!\p{L}))/u, 'Dies')
    .replaceAll(/(?<=\S )(Sie|Ihnen|Ihr|Ihre|Ihren)(?!\p{L})/gu, '')
}

/** A word, or two words, said twice in a row. */
const hasStutter = (words: readonly string[]): boolean =>
  words.some(
    (word, at) =>
      word !== '' &&
      (word === words[at - 1] || (at >= 3 && word === words[at - 2] && words[at - 1] === words[at - 3])),
  )

interface Term {
  readonly weight: number
  /** As it is written inside a sentence. */
  readonly written: string
  /** It follows a determiner somewhere, or is written with a capital inside a sentence. */
  readonly isNoun: boolean
}

/** Words of one clip that count for its topic, at most. */
const MOST_WEIGHT = 2.4
/** The rarity of a word that comes in a single passage of half an hour. */
const RARE = 3

/** What the clip is about: its content words, by how rare they are in the talk and how often they come in it. */
function weighTerms({ sentences, idf, language }: TextFacts): ReadonlyMap<string, Term> {
  const titles = titlePatternsOf(language)
  const seen = new Map<string, { times: number; written: string; isNoun: boolean }>()
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
        isNoun: known?.isNoun === true || capital || isNounHere(words, at, titles),
      })
    })
  }
  return new Map(
    [...seen].map(([key, { times, written, isNoun }]) => {
      const rarity = Math.min(1, (idf.get(key) ?? 1) / RARE) * (isNoun ? 1.2 : 0.8)
      return [key, { weight: Math.min(MOST_WEIGHT, rarity * (0.6 + 0.6 * times)), written, isNoun }]
    }),
  )
}

/** Articles that are also pronouns: after a subject, a verb follows them. */
const OBJECTS = /^(?:le|la|les|lo|los|las)$/

/** Whether a word ends, or in languages with the noun first begins, what a determiner began. */
function isNounHere(words: readonly string[], at: number, titles: TitlePatterns | null): boolean {
  const before = words[at - 1] ?? ''
  if (titles === null || /[,;:]$/.test(before) || !titles.determiner.test(bare(before))) return false
  if (OBJECTS.test(bare(before)) && titles.subject.test(bare(words[at - 2] ?? ''))) return false
  const after = bare(words[at + 1] ?? '')
  return !titles.nounLast || /[.,;:!?]$/.test(words[at] ?? '') || !(isContent(after) || /^ones?$/.test(after))
}

/** The words that a clip is about, heaviest first: nouns, where they are known. */
export const topicWords = (facts: TextFacts, count: number): string[] =>
  heaviestOf(weighTerms(facts), facts).slice(0, count)

const topicPhrase = (terms: ReadonlyMap<string, Term>, facts: TextFacts): string =>
  shorten(heaviestOf(terms, facts).slice(0, 3).join(', '), TITLE_LENGTH)

function heaviestOf(terms: ReadonlyMap<string, Term>, { language }: TextFacts): string[] {
  const german = languageCode(language) === 'de'
  const patterns = patternsOf(language)
  const isNoName = (word: string): boolean =>
    patterns !== null &&
    (countMatches(word, patterns.number) + countMatches(word, patterns.strong) > 0 ||
      patterns.point.test(word) ||
      /['’]/.test(word))
  const long = [...terms.values()].filter(
    ({ written }) => (written.length > 3 || isUnspacedLetter(written)) && !isNoName(plainText(written)),
  )
  const nouns = long.filter(({ isNoun, written }) => isNoun && (!german || /^\p{Lu}/u.test(written)))
  return (nouns.length >= 2 ? nouns : long)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ written }) => written)
}

function titleCase(text: string): string {
  const words = text.split(' ')
  return words
    .map((word, index) => {
      const inner = index > 0 && index < words.length - 1 && !/[:.?!]$/.test(words[index - 1] ?? '')
      if (inner && SMALL_WORDS.has(bare(word))) return word.toLowerCase()
      return word.replace(/\p{L}/u, (letter) => letter.toUpperCase())
    })
    .join(' ')
}
