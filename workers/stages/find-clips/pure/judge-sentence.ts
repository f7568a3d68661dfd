/** PURE. The value of a sentence as opening, as ending and in between. Points are for and against, about -40 to 40. */
import type { Sentence } from './sentences.ts'
import { isEnglish } from './languages.ts'
import { bare, isContent, isFigure, shorten, stem, wordsIn } from './text-tools.ts'
import {
  CLOSING_PHRASES,
  EMOTION_WORDS,
  FILLER_PHRASES,
  ENGLISH_FILLERS,
  FILLERS,
  HOOK_PHRASES,
  LEANING_STARTS,
  LOGISTICS,
  REACTIONS,
  SOFT_STARTS,
  STORY_PHRASES,
  VALUE_PHRASES,
} from './word-lists.ts'

/** A reason for or against, as text for people: "Opens with a question". */
export interface Point {
  readonly points: number
  readonly reason: string
}

export interface Judged {
  /** Stems of content words, in order. */
  readonly stems: readonly string[]
  readonly wordCount: number
  readonly fillers: number
  readonly logistics: boolean
  readonly reaction: boolean
  readonly leaning: boolean
  readonly question: boolean
  readonly hook: readonly Point[]
  readonly ending: readonly Point[]
  readonly value: readonly Point[]
  readonly emotion: readonly Point[]
}

/** `language`: BCP 47 tag of the talk. */
export function judgeSentence(sentence: Sentence, language = 'en'): Judged {
  const isFiller = (word: string): boolean =>
    FILLERS.has(word) || (ENGLISH_FILLERS.has(word) && isEnglish(language))
  const { text } = sentence
  const words = wordsIn(text)
  const plain = words.map(bare).filter((word) => word !== '')
  const fillers =
    plain.filter(isFiller).length +
    (text.match(FILLER_PHRASES)?.length ?? 0) +
    plain.filter((word, index) => index > 0 && word === plain[index - 1] && word.length < 5).length
  const shared = {
    wordCount: plain.length,
    fillers,
    logistics: LOGISTICS.test(text),
    reaction: REACTIONS.test(text),
    leaning: LEANING_STARTS.test(text) && !SOFT_STARTS.test(text),
    question: /[?？]["'”’)」』]*$/.test(text),
  }
  const facts: Facts = {
    ...shared,
    text,
    quote: `"${shorten(text, 70)}"`,
    startsWithFiller:
      isFiller(plain[0] ?? '') || /^(okay|ok|right|yeah|yes|no|wow|well|oh|sorry|anyway)[.,!]/i.test(text),
    figure: figureIn(words),
  }
  return {
    stems: plain.filter(isContent).map(stem),
    ...shared,
    hook: hookPoints(facts),
    ending: endingPoints(facts),
    value: valuePoints(facts),
    emotion: emotionPoints(facts, plain),
  }
}

type Shared = Pick<Judged, 'wordCount' | 'fillers' | 'logistics' | 'reaction' | 'leaning' | 'question'>

interface Facts extends Shared {
  readonly text: string
  readonly quote: string
  readonly startsWithFiller: boolean
  readonly figure: string | null
}

/** The words of the first number with what it counts: "forty percent", "three rules". */
function figureIn(words: readonly string[]): string | null {
  const from = words.findIndex((word) => isFigure(bare(word)))
  if (from < 0) return null
  let to = from + 1
  while (
    to < words.length &&
    to - from < 6 &&
    !/[.,;:!?]$/.test(words[to - 1] ?? '') &&
    (isFigure(bare(words[to] ?? '')) ||
      (bare(words[to] ?? '') === 'and' && isFigure(bare(words[to + 1] ?? ''))))
  )
    to += 1
  if (to < words.length && !/[.,;:!?]$/.test(words[to - 1] ?? '') && isContent(bare(words[to] ?? ''))) to += 1
  return words
    .slice(from, to)
    .join(' ')
    .replace(/[.,;:!?]+$/, '')
}

function hookPoints(facts: Facts): Point[] {
  const points: Point[] = []
  const add = (value: number, reason: string): void => void points.push({ points: value, reason })
  if (facts.question && facts.wordCount > 3) add(18, `Opens with a question: ${facts.quote}`)
  for (const [pattern, value, reason] of HOOK_PHRASES)
    if (pattern.test(facts.text)) add(value, `${reason}: ${facts.quote}`)
  if (facts.figure !== null && facts.wordCount > 2) add(9, `Opens with a figure: "${facts.figure}"`)
  if (/\b(you|your)\b/i.test(facts.text)) add(5, `Speaks to the viewer at once: ${facts.quote}`)
  if (facts.wordCount >= 4 && facts.wordCount <= 14) add(6, `Opens with a short, clear line: ${facts.quote}`)
  if (facts.wordCount > 32) add(-10, `Opens with a long sentence: ${facts.quote}`)
  if (facts.leaning) add(-18, `Opens in the middle of a thought: ${facts.quote}`)
  if (facts.reaction) add(-30, `Opens with a mere reaction: ${facts.quote}`)
  else if (facts.wordCount <= 2) add(-16, `Opens with a fragment: ${facts.quote}`)
  if (facts.startsWithFiller) add(-22, `Opens with a filler: ${facts.quote}`)
  else if (facts.fillers > 0) add(-10 * Math.min(2, facts.fillers), `Hesitates at the start: ${facts.quote}`)
  if (facts.logistics) add(-40, `Opens with housekeeping: ${facts.quote}`)
  return points
}

function endingPoints(facts: Facts): Point[] {
  const points: Point[] = []
  const add = (value: number, reason: string): void => void points.push({ points: value, reason })
  if (facts.question) add(-24, `Ends on a question that stays open: ${facts.quote}`)
  if (facts.reaction) add(-36, `Ends on a mere reaction: ${facts.quote}`)
  else if (facts.wordCount <= 2) add(-6, `Ends on a fragment: ${facts.quote}`)
  if (facts.logistics) add(-40, `Ends in housekeeping: ${facts.quote}`)
  if (facts.fillers > 0) add(-14, `Ends with hesitation: ${facts.quote}`)
  if (CLOSING_PHRASES.test(facts.text)) add(12, `Ends by drawing the conclusion: ${facts.quote}`)
  if (facts.wordCount >= 3 && facts.wordCount <= 12 && !facts.question)
    add(10, `Ends on a short, finished line: ${facts.quote}`)
  if (/\b(not|never|n't)\b/i.test(facts.text) && facts.wordCount <= 14)
    add(7, `Ends on a contrast: ${facts.quote}`)
  if (/[,;:—–-]["'”’]?$/.test(facts.text)) add(-30, `Ends before the sentence does: ${facts.quote}`)
  if (/\b(one is|two is|first is|rule one|rule two|here is|here's|for example|guess)\b/i.test(facts.text))
    add(-18, `Ends on an announcement: ${facts.quote}`)
  return points
}

function valuePoints(facts: Facts): Point[] {
  const points: Point[] = []
  for (const [pattern, value, reason] of VALUE_PHRASES)
    if (pattern.test(facts.text)) points.push({ points: value, reason: `${reason}: ${facts.quote}` })
  if (facts.figure !== null && facts.wordCount > 2)
    points.push({ points: 8, reason: `Names a figure: "${facts.figure}"` })
  if (facts.logistics) points.push({ points: -15, reason: `Spends time on housekeeping: ${facts.quote}` })
  return points
}

function emotionPoints(facts: Facts, plain: readonly string[]): Point[] {
  const points: Point[] = []
  for (const [pattern, value, reason] of STORY_PHRASES)
    if (pattern.test(facts.text)) points.push({ points: value, reason: `${reason}: ${facts.quote}` })
  const strong = plain.find((word) => EMOTION_WORDS.has(word))
  if (strong !== undefined && !facts.logistics)
    points.push({ points: 8, reason: `Has feeling in it ("${strong}"): ${facts.quote}` })
  if (/!["'”’)]*$/.test(facts.text)) points.push({ points: 5, reason: `Is said with force: ${facts.quote}` })
  return points
}

export function sumOf(points: readonly Point[]): number {
  return points.reduce((sum, point) => sum + point.points, 0)
}
