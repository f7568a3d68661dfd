/** PURE. The lines of a clip that may be its title: whole sentences and main clauses, without what connects them to the talk. */
import type { Judged } from './judge-sentence.ts'
import type { Sentence } from './sentences.ts'
import type { LanguagePatterns } from './languages.ts'
import { bare, wordsIn } from './text-tools.ts'
import type { TitlePatterns } from './title-patterns.ts'
import { phrasesOf } from './title-phrases.ts'
import { countMatches, plainText } from './word-patterns.ts'

/** The sentences of one clip, how they were judged, and how rare words are in its talk. */
export interface TextFacts {
  readonly sentences: readonly Sentence[]
  readonly judged: readonly Judged[]
  readonly idf: ReadonlyMap<string, number>
  /** The probability that each sentence belongs to a story. */
  readonly inside: readonly number[]
  /** BCP 47: English headlines use title case, others are left as spoken. */
  readonly language: string
}

/** Characters of a title at most. */
export const TITLE_LENGTH = 60
const SHORTEST = 10
const FEWEST_WORDS = 3
/** What is left when a subordinate clause at the end is cut off has at least so many. */
const FEWEST_BEFORE_TAIL = 5

/** A sentence without what connects it; a clause at its beginning; a list that is announced; what somebody is quoted with; a noun phrase. */
type LineKind = 'sentence' | 'clause' | 'list' | 'quote' | 'phrase'

export interface Line {
  readonly text: string
  readonly kind: LineKind
  /** What the sentence goes on with after a clause; empty for the other kinds. */
  readonly rest: string
}

/** The sentence, and what of it can stand alone, without what connects them to the talk around. */
export function linesOf(
  sentence: string,
  titles: TitlePatterns | null,
  patterns: LanguagePatterns | null,
): Line[] {
  const whole = standAlone(sentence, titles)
  const texts: Record<LineKind, readonly string[]> = {
    sentence: [whole],
    list: [listIn(whole, patterns?.announcement)],
    // A question is nothing without its end, and a clause in the middle is nothing without its beginning.
    clause: whole.endsWith('?') ? [] : [...headsOf(whole, titles), ...beforeTails(whole, titles, patterns)],
    quote: quotesIn(whole, titles, patterns),
    phrase: titles === null || patterns === null ? [] : phrasesOf(whole, titles, patterns),
  }
  const seen = new Set<string>()
  return LINE_KINDS.flatMap((kind) =>
    texts[kind].map((text) => ({
      kind,
      text: capitalised(kind === 'sentence' || kind === 'quote' ? text : trimEnd(text)),
      rest: kind === 'clause' ? whole.slice(text.length).replace(/^[\s,;:—–]+/, '') : '',
    })),
  ).filter((line) => {
    const isNew = !seen.has(line.text)
    seen.add(line.text)
    return (
      isNew &&
      line.text.length >= SHORTEST &&
      line.text.length <= TITLE_LENGTH &&
      wordsIn(line.text).length >= FEWEST_WORDS &&
      !isBroken(line, titles, patterns)
    )
  })
}

/** A reason, or what belongs to a verb before it: never a title. */
const REASON =
  /^(?:because|weil|porque|parce|dass|that(?! (?:is|was)(?!\p{L}))|which|denn|since|although|obwohl|aunque|que|qui)(?!\p{L})/u

/** What somebody did is said to the person who did it, not to the viewer. */
const YOU = /(?<!\p{L})(?:you|you'd|tu|tú|te|du|usted) (?<verb>\p{L}+)/gu
const saysWhatYouDid = (plain: string, patterns: LanguagePatterns): boolean =>
  [...plain.matchAll(YOU)].some(({ groups }) => countMatches(groups?.['verb'] ?? '', patterns.past) > 0)

/** Whether a line breaks off, is only the end of a clause, or says a word twice. */
function isBroken(
  { text, kind }: Line,
  titles: TitlePatterns | null,
  patterns: LanguagePatterns | null,
): boolean {
  const words = wordsIn(text).map(bare)
  if (/[,;:—–-]$/.test(text) || hasStutter(words)) return true
  if (titles === null || patterns === null) return false
  const plain = plainText(text)
  const isClause = kind !== 'phrase' && kind !== 'list'
  return (
    titles.loose.test(plain) ||
    saysWhatYouDid(plain, patterns) ||
    text.split(/[,;:]/).some((part) => titles.determiner.test(bare(part.split(' ').at(-1) ?? ''))) ||
    (isClause && !text.endsWith('?') && REASON.test(plain)) ||
    (isClause && titles.preposition.test(plain) && countMatches(plain, titles.verb) === 0)
  )
}

/** A word, or two words, said twice in a row. */
const hasStutter = (words: readonly string[]): boolean =>
  words.some(
    (word, at) =>
      word !== '' &&
      (word === words[at - 1] || (at >= 3 && word === words[at - 2] && words[at - 1] === words[at - 3])),
  )

export const LINE_KINDS: readonly LineKind[] = ['sentence', 'list', 'clause', 'quote', 'phrase']

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** At most three words stand between a verb of saying and what is said. */
const BEFORE_QUOTE = /^(?: [\p{L}'’]+){0,3}[,:] (?=.)/u

/** What stands behind "she said," and the like. */
function quotesIn(whole: string, titles: TitlePatterns | null, patterns: LanguagePatterns | null): string[] {
  if (patterns === null) return []
  return [...plainText(whole).matchAll(patterns.saying)].flatMap((found) => {
    const after = whole.slice(found.index + found[0].length)
    const lead = BEFORE_QUOTE.exec(after)
    const quote = after.slice(lead?.[0].length ?? 0)
    const goesOn = countMatches(plainText(quote), patterns.saying) > 0
    return lead === null || goesOn ? [] : [standAlone(quote, titles)]
  })
}

/** What stands before each comma, where what follows is not a part of it. */
function headsOf(whole: string, titles: TitlePatterns | null): string[] {
  const parts = whole.split(/(?<=[,;:—–])\s+/)
  return parts
    .slice(0, -1)
    .flatMap((part, at) =>
      BOUND.test(parts[at + 1] ?? '') || isOpenPart(part, titles) ? [] : [parts.slice(0, at + 1).join(' ')],
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

/** What stands before each word that begins a subordinate clause, where that is a clause that does not deny what follows. */
function beforeTails(
  text: string,
  titles: TitlePatterns | null,
  patterns: LanguagePatterns | null,
): string[] {
  if (titles === null) return []
  return [...plainText(text).matchAll(titles.tail)]
    .map(({ index }) => text.slice(0, index).trim())
    .filter(
      (head) =>
        wordsIn(head).length >= FEWEST_BEFORE_TAIL &&
        countMatches(plainText(head), titles.verb) > 0 &&
        countMatches(plainText(head), patterns?.negation) === 0,
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
