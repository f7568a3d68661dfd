/** PURE. A headline and a short description from the clip's own words. */
import type { Judged } from './judge-sentence.ts'
import { patternsOf, type LanguagePatterns } from './languages.ts'
import type { Sentence } from './sentences.ts'
import { bare, isContent, shorten, stem, wordsIn } from './text-tools.ts'
import { countMatches, plainText } from './word-patterns.ts'
import { DANGLING_ENDS, FILLERS, SMALL_WORDS } from './word-lists.ts'

export const TITLE_LENGTH = 60
const BIO_LENGTH = 220

export interface TextFacts {
  readonly sentences: readonly Sentence[]
  readonly judged: readonly Judged[]
  readonly idf: ReadonlyMap<string, number>
  /** BCP 47: English headlines use title case, others are left as spoken. */
  readonly language: string
}

/**
 * At most 60 characters: the line of the clip that says best what it is about, as a whole sentence or its main clause; where no
 * line can stand alone, what the clip is about in its own words.
 */
export function headlineOf(facts: TextFacts): string {
  const patterns = patternsOf(facts.language)
  const terms = weighTerms(facts)
  const options = facts.sentences.flatMap((sentence, index) =>
    linesOf(sentence.text, patterns).map((line) => ({
      line: line.text,
      worth: worthOfLine({ ...line, index, words: wordsIn(line.text).map(bare) }, { facts, terms, patterns }),
    })),
  )
  const best = options.reduce((a, b) => (b.worth > a.worth ? b : a), { line: '', worth: MIN_WORTH })
  const text = best.line === '' ? topicPhrase(terms) : best.line
  const styled = isEnglish(facts.language) ? titleCase(text) : text.charAt(0).toUpperCase() + text.slice(1)
  return styled === '' ? 'Clip' : styled
}

/** Unknown languages are treated as English, whose words are the first to be recognised. */
const isEnglish = (language: string): boolean => /^(en|eng|und|)(-|$)/i.test(language)

interface Line {
  readonly text: string
  /** Nothing but polite or connecting words was taken off. */
  readonly whole: boolean
}

/** Lines with a lower worth stand for nothing: what the clip is about is named instead. */
const MIN_WORTH = 2
const FEWEST_WORDS = 3
/** A part of a sentence is chosen only where it says much more than any whole one. */
const PART_COSTS = 4
const SHORTEST = 12

/** The sentence, and the main clause at its beginning, without what connects them to the talk around. */
function linesOf(sentence: string, patterns: LanguagePatterns | null): Line[] {
  const whole = stripStart(tidySentence(sentence), patterns)
  const question = whole.endsWith('?')
  const parts = whole.split(/(?<=[,;:—–])\s+/)
  const lines = [{ text: whole, whole: true }]
  // A question is nothing without its end, and a clause in the middle is nothing without its beginning.
  if (!question && parts.length > 1) {
    const head = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join(' '))
    lines.push(...head.map((text) => ({ text: trimEnds(text), whole: false })))
  }
  return lines.filter(
    ({ text }) =>
      text.length >= SHORTEST && text.length <= TITLE_LENGTH && wordsIn(text).length >= FEWEST_WORDS,
  )
}

/** Takes connectives and phrases such as "I think" off the beginning, as long as something is left. */
function stripStart(text: string, patterns: LanguagePatterns | null): string {
  if (patterns === null) return text
  let rest = text
  for (let round = 0; round < 3; round += 1) {
    const found = patterns.lead.exec(plainText(rest))
    const after = found === null ? '' : rest.slice(found[0].length).replace(/^[\s,:;–—-]+/, '')
    if (found === null || after.split(' ').length < FEWEST_WORDS) break
    rest = after.charAt(0).toUpperCase() + after.slice(1)
  }
  return rest
}

interface LineContext {
  readonly facts: TextFacts
  readonly terms: ReadonlyMap<string, Term>
  readonly patterns: LanguagePatterns | null
}

/** Content words of the line count most; words that point at something outside of it count against it. */
function worthOfLine(
  { text, whole, index, words }: Line & { readonly index: number; readonly words: readonly string[] },
  { facts, terms, patterns }: LineContext,
): number {
  const item = facts.judged[index]
  if (item === undefined || item.logistics) return -100
  const lower = plainText(text)
  const count = (pattern: RegExp | undefined): number => countMatches(lower, pattern)
  const topic = [...new Set(words.map(stem))].reduce((sum, word) => sum + (terms.get(word)?.weight ?? 0), 0)
  const last = facts.sentences.length - 1
  const place = index === 0 ? 1.5 : index >= last - 1 ? 2 : 0
  const fit = words.length >= 4 && words.length <= 11 ? 1.5 : 0
  const claims = 0.8 * Math.min(2, count(patterns?.strong)) + 0.8 * Math.min(1, count(patterns?.number))
  const addresses = 0.6 * Math.min(1, count(patterns?.secondPerson) + count(patterns?.negation))
  const points = 2.2 * count(patterns?.pointing) + (patterns?.leaning.test(lower) === true ? 3 : 0)
  const quotes = 3 * count(patterns?.saying)
  const announces = 4 * count(patterns?.announcing)
  const noise =
    announces + 4 * count(patterns?.filler) + 3 * count(patterns?.housekeeping) + (item.reaction ? 20 : 0)
  const subordinate = patterns?.subordinate.test(lower) === true ? (whole ? 2 : 20) : 0
  const loose = DANGLING_ENDS.has(words.at(-1) ?? '') || /[,;:—–-]$/.test(text) ? 20 : 0
  const broken =
    (whole ? 0 : PART_COSTS) + 1.5 * Math.max(0, text.split(',').length - 2) + (hasStutter(words) ? 20 : 0)
  return topic + place + fit + claims + addresses - points - quotes - noise - subordinate - loose - broken
}

const hasStutter = (words: readonly string[]): boolean =>
  words.some((word, index) => index > 0 && word === words[index - 1] && word !== '')

interface Term {
  readonly weight: number
  /** As it is written most often. */
  readonly written: string
}

/** Words of one clip that count for its topic, at most. */
const MOST_WEIGHT = 2.5

/** What the clip is about: its content words, by how much more often it has them than the talk. */
function weighTerms({ sentences, idf }: TextFacts): ReadonlyMap<string, Term> {
  const seen = new Map<string, { times: number; written: string }>()
  for (const { text } of sentences)
    for (const word of wordsIn(text)) {
      const plain = bare(word)
      if (!isContent(plain)) continue
      const key = stem(plain)
      const known = seen.get(key)
      seen.set(key, {
        times: (known?.times ?? 0) + 1,
        written: known?.written ?? word.replace(/[.,;:!?…"”’»)]+$/, ''),
      })
    }
  return new Map(
    [...seen].map(([key, { times, written }]) => {
      const weight = Math.min(MOST_WEIGHT, 0.45 * (idf.get(key) ?? 1) * Math.sqrt(times))
      return [key, { weight, written }]
    }),
  )
}

/** The two or three words that the clip is about, heaviest first. */
function topicPhrase(terms: ReadonlyMap<string, Term>): string {
  const words = [...terms.values()]
    .filter(({ written }) => written.length > 3)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, 3)
    .map(({ written }) => written.toLowerCase())
  return shorten(words.join(', '), TITLE_LENGTH)
}

/** One or two whole sentences with most content, in spoken order. */
export function bioOf(facts: TextFacts): string {
  const usable = facts.sentences
    .map((sentence, index) => ({ sentence, index, worth: scoreSentence(index, facts) }))
    .filter(
      ({ index }) => facts.judged[index]?.logistics === false && (facts.judged[index]?.wordCount ?? 0) > 3,
    )
    .sort((a, b) => b.worth - a.worth || a.index - b.index)
  const [first, second] = usable
  if (first === undefined) return shorten(cleanSentence(facts.sentences[0]?.text ?? ''), BIO_LENGTH)
  const pair = second === undefined ? [first] : [first, second].sort((a, b) => a.index - b.index)
  const both = pair.map(({ sentence }) => cleanSentence(sentence.text)).join(' ')
  return both.length <= BIO_LENGTH ? both : shorten(cleanSentence(first.sentence.text), BIO_LENGTH)
}

function scoreSentence(index: number, { sentences, judged, idf }: TextFacts): number {
  const item = judged[index]
  if (item === undefined) return -1
  const topic = [...new Set(item.stems)].reduce((sum, term) => sum + (idf.get(term) ?? 1), 0)
  const tooLong = (sentences[index]?.text.length ?? 0) > 160 ? -6 : 0
  const opening = index <= 1 ? 2 : 0
  return (
    topic +
    opening +
    tooLong +
    (item.leaning ? -3 : 0) -
    item.fillers * 3 -
    (item.question && index > 0 ? 2 : 0)
  )
}

/** Without hesitations, quotes around it and a full stop; a question mark stays. */
function tidySentence(text: string): string {
  const words = text.split(' ').filter((word) => !FILLERS.has(bare(word)))
  const joined = dropStutter(words)
    .join(' ')
    .replace(/^["'“‘(«]+|["”’)»]+$/g, '')
  return /\?$/.test(joined) ? joined.replace(/[\s.,;:!?—–-]+$/, '?') : joined.replace(/[\s.,;:!—–-]+$/, '')
}

/** Removes connectives and hesitations at the start and loose ends at the end; a question mark stays. */
function trimEnds(text: string): string {
  let words = text.split(' ').filter((word) => !FILLERS.has(bare(word)))
  while (
    words.length > 2 &&
    /^(so|and|but|well|okay|ok|right|yeah|yes|no|now|oh|wow|honestly|look|listen|anyway|i mean|you know),?$/i.test(
      words[0] ?? '',
    ) &&
    (/,$/.test(words[0] ?? '') || /^(and|but|so|well)$/i.test(words[0] ?? ''))
  )
    words = words.slice(1)
  const question = /\?["'”’)]*$/.test(words.at(-1) ?? '')
  while (words.length > 3 && !question && DANGLING_ENDS.has(bare(words.at(-1) ?? '')))
    words = words.slice(0, -1)
  const joined = dropStutter(words)
    .join(' ')
    .replace(/^["'“‘(]+|["”’)]+$/g, '')
  return question ? joined.replace(/[\s.,;:!?—–-]+$/, '?') : joined.replace(/[\s.,;:!—–-]+$/, '')
}

function dropStutter(words: readonly string[]): string[] {
  return words.filter(
    (word, index) =>
      index === 0 || bare(word) !== bare(words[index - 1] ?? '') || /[,.]$/.test(words[index - 1] ?? ''),
  )
}

function cleanSentence(text: string): string {
  const end = /[.!?…]["'”’)]*$/.exec(text)?.[0] ?? '.'
  const body = trimEnds(text).replace(/\?$/, '')
  return `${body.charAt(0).toUpperCase()}${body.slice(1)}${end}`
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
