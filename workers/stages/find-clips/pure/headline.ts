/** PURE. A headline and a short description from the clip's own words. */
import { type Judged, sumOf } from './judge-sentence.ts'
import type { Sentence } from './sentences.ts'
import { bare, isContent, isFigure, shorten } from './text-tools.ts'
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

/** At most 60 characters, without fillers at either end. */
export function headlineOf(facts: TextFacts): string {
  const options = facts.sentences.flatMap((sentence, index) =>
    splitClauses(sentence.text).map((text) => ({ text, worth: scoreClause(text, sentence, index, facts) })),
  )
  const best = options.reduce((a, b) => (b.worth > a.worth ? b : a), { text: '', worth: -Infinity })
  const text = best.text === '' ? trimEnds(shorten(facts.sentences[0]?.text ?? '', TITLE_LENGTH)) : best.text
  const styled = /^(en|eng|und|)(-|$)/i.test(facts.language)
    ? titleCase(text)
    : text.charAt(0).toUpperCase() + text.slice(1)
  return styled === '' ? 'Clip' : styled
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

/** The sentence, and its parts at commas, that fit into a headline. */
function splitClauses(text: string): string[] {
  const whole = trimEnds(text)
  const parts = whole.split(/(?<=[,;:—–])\s+/)
  const options = new Set<string>([whole])
  for (let from = 0; from < parts.length; from += 1) {
    for (let to = from + 1; to <= parts.length; to += 1)
      options.add(trimEnds(parts.slice(from, to).join(' ')))
  }
  return [...options].filter(
    (option) => option.length >= 12 && option.length <= TITLE_LENGTH && option.split(' ').length >= 3,
  )
}

function scoreClause(text: string, sentence: Sentence, index: number, { sentences, judged, idf }: TextFacts) {
  const item = judged[index]
  if (item === undefined || item.logistics) return -100
  const words = text.split(' ').map(bare)
  const seen = new Set<string>()
  let topic = 0
  words.forEach((word) => {
    if (!isContent(word) || seen.has(word)) return
    seen.add(word)
    topic += Math.min(2.5, idf.get(word) ?? 1.2)
  })
  const place = index === 0 ? 1.5 : index === sentences.length - 1 ? 2.5 : index <= 2 ? 1 : 0
  const whole = trimEnds(sentence.text) === text ? 4 : 0
  const saysMuch =
    Math.min(3, Math.max(0, sumOf(item.hook)) / 12) + Math.min(2, Math.max(0, sumOf(item.value)) / 10)
  const figure = words.some(isFigure) ? 2.5 : 0
  const fit = words.length >= 4 && words.length <= 9 ? 2 : words.length === 3 ? -2.5 : 0
  const vague =
    /^(it|he|she|they|that|this|these|those|there|him|her|them|and|but|or|because|which|then|most of|all of|some of)\b/i.test(
      text,
    )
      ? -5
      : 0
  const announces =
    /\b(here is|here's|let me|tell me|guess|rule (one|two|three)|i have (a|an|one|two|three|four|five)|take me|he (says|asks|said)|she (says|asks|said)|i (said|look|tell|thought))\b/i.test(
      text,
    )
      ? -12
      : 0
  const unfinished = /[,;:—–-]$/.test(text) || DANGLING_ENDS.has(bare(text.split(' ').at(-1) ?? '')) ? -20 : 0
  return (
    topic * 0.9 + place + whole + saysMuch + figure + fit + vague + announces + unfinished - item.fillers * 4
  )
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
