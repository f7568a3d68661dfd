/** PURE. The lines of a clip that may be its title: whole sentences and main clauses, without what connects them to the talk. */
import type { Judged } from './judge-sentence.ts'
import type { Sentence } from './sentences.ts'
import { bare, wordsIn } from './text-tools.ts'
import type { TitlePatterns } from './title-patterns.ts'
import { countMatches, plainText } from './word-patterns.ts'

/** The sentences of one clip, how they were judged, and how rare words are in its talk. */
export interface TextFacts {
  readonly sentences: readonly Sentence[]
  readonly judged: readonly Judged[]
  readonly idf: ReadonlyMap<string, number>
  /** BCP 47: English headlines use title case, others are left as spoken. */
  readonly language: string
}

/** Characters of a title at most. */
export const TITLE_LENGTH = 60
const SHORTEST = 10
const FEWEST_WORDS = 3
/** What is left when a subordinate clause at the end is cut off has at least so many. */
const FEWEST_BEFORE_TAIL = 5

export interface Line {
  readonly text: string
  /** A list is announced: a noun phrase that needs no verb. */
  readonly list: boolean
  /** Nothing but polite or connecting words was taken off. */
  readonly whole: boolean
}

/** The sentence, and the main clause at its beginning, without what connects them to the talk around. */
export function linesOf(
  sentence: string,
  patterns: TitlePatterns | null,
  announcement: RegExp | undefined,
): Line[] {
  const whole = standAlone(sentence, patterns)
  const lines = [{ text: whole, whole: true, list: false }]
  const list = listIn(whole, announcement)
  if (list !== '') lines.push({ text: list, whole: true, list: true })
  // A question is nothing without its end, and a clause in the middle is nothing without its beginning.
  if (!whole.endsWith('?')) {
    const parts = whole.split(/(?<=[,;:—–])\s+/)
    const heads = parts
      .slice(0, -1)
      .flatMap((_, at) =>
        BOUND.test(parts[at + 1] ?? '') || isOpenPart(parts[at] ?? '', patterns)
          ? []
          : [parts.slice(0, at + 1).join(' ')],
      )
    lines.push(
      ...[...heads, ...beforeTails(whole, patterns)].map((text) => ({
        text: trimEnd(text),
        whole: false,
        list: false,
      })),
    )
  }
  return lines.filter(
    ({ text }) =>
      text.length >= SHORTEST && text.length <= TITLE_LENGTH && wordsIn(text).length >= FEWEST_WORDS,
  )
}

/** Clauses without which the one before says something else: relative ones, and objects of its verb. */
const BOUND =
  /^(?:(?:in|an|auf|mit|von|zu|für|bei|aus|nach|über|unter|durch|um|ohne|à|de|en|con|por|para|of|to|for|with) )?(?:der|die|das|den|dem|denen|deren|dessen|dass|ob|wie|was|wer|wo|that|who|which|whom|whose|que|qui|quien|quienes|dont|où|lequel|laquelle|cuyo|cuya)(?!\p{L})/iu
const AND = /^(?:and|or|but|y|e|o|pero|und|oder|aber|et|ou|mais) /iu

/** What "and" begins is a clause of its own, or goes on behind the comma. */
const isOpenPart = (part: string, patterns: TitlePatterns | null): boolean =>
  AND.test(part) && patterns !== null && countMatches(plainText(part), patterns.verb) === 0

const SENTENCE_PART = /[.;:!?]|,(?! (?:that|who|which|die|der|das|que|qui|quienes) )/u

/** A sentence without hesitations, its full stop, and the words that connect it to the one before. */
export function standAlone(sentence: string, patterns: TitlePatterns | null): string {
  const text = stripStart(tidySentence(sentence, patterns), patterns)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What follows says to whom they are told, not what they are. */
const TO_SOMEBODY = /^\S+ \S+ (?:to|aux?|à|al|a|den|dem|der) /iu

/** "Four things about taking on a builder": what is announced, with what belongs to it; empty where nothing is. */
function listIn(text: string, announcement: RegExp | undefined): string {
  const at = announcement === undefined ? -1 : plainText(text).search(announcement)
  if (at < 0) return ''
  const rest = text.slice(at)
  const phrase = rest.split(SENTENCE_PART)[0] ?? ''
  // A relative clause at the end is left out where the whole is too long.
  const short = phrase.length <= TITLE_LENGTH ? phrase : (phrase.split(/ (?:who|which|where) /)[0] ?? '')
  if (TO_SOMEBODY.test(short)) return ''
  return wordsIn(short).length > FEWEST_WORDS ? short.charAt(0).toUpperCase() + short.slice(1) : ''
}

/** What stands before each word that begins a subordinate clause, where that is a clause itself. */
function beforeTails(text: string, patterns: TitlePatterns | null): string[] {
  if (patterns === null) return []
  const plain = plainText(text)
  return [...plain.matchAll(patterns.tail)]
    .map(({ index }) => text.slice(0, index).trim())
    .filter(
      (head) =>
        wordsIn(head).length >= FEWEST_BEFORE_TAIL && countMatches(plainText(head), patterns.verb) > 0,
    )
}

/** Takes connectives and phrases such as "I think" off the beginning, as long as something is left. */
function stripStart(text: string, patterns: TitlePatterns | null): string {
  if (patterns === null) return text
  let rest = text
  for (let round = 0; round < 4; round += 1) {
    const after =
      afterLead(rest, patterns.lead) ?? afterLead(rest, patterns.interjection, /^["”’»]*\s*[,.!–—:]/)
    if (after === null || after.split(' ').length < FEWEST_WORDS) break
    // An opening mark of a question stays.
    rest = (/^[¿¡]+/.exec(rest)?.[0] ?? '') + after.charAt(0).toUpperCase() + after.slice(1)
  }
  return rest
}

/** What follows the words at the beginning; null where there are none, or not what must come `next`. */
function afterLead(text: string, lead: RegExp, next = /^/): string | null {
  const found = lead.exec(plainText(text))
  if (found === null) return null
  const after = text.slice(found[0].length)
  return next.test(after) ? after.replace(/^[\s.!,:;–—-]+/, '') : null
}

const trimEnd = (text: string): string => text.replace(/[\s.,;:!—–-]+$/, '')

/** Without hesitations, quotes around it and a full stop; a question mark stays. */
function tidySentence(text: string, patterns: TitlePatterns | null): string {
  const words = text.split(' ').filter((word) => patterns?.hesitation.test(bare(word)) !== true)
  const joined = dropStutter(words)
    .join(' ')
    .replace(/^["'“‘(«]+|["”’)»]+$/g, '')
  return /\?$/.test(joined) ? joined.replace(/[\s.,;:!?—–-]+$/, '?') : trimEnd(joined)
}

/** A word that is said twice in a row is written once. */
function dropStutter(words: readonly string[]): string[] {
  return words.filter(
    (word, index) =>
      index === 0 || bare(word) !== bare(words[index - 1] ?? '') || /[,.]$/.test(words[index - 1] ?? ''),
  )
}
