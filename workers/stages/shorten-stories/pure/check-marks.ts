/** PURE. Holds a language model's marks of a story against the talk: whatever it answers, a clip made of it is whole. */
import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Interruption } from '../../find-clips/pure/interruptions.ts'
import { leaveOut } from '../../find-clips/pure/left-out.ts'
import { roundMs } from '../../find-clips/pure/numbers.ts'
import type { SentenceFacts } from '../../find-clips/pure/sentence-facts.ts'
import { endAfter, startBefore, type Sentence } from '../../find-clips/pure/sentences.ts'
import { dangles } from '../../find-clips/pure/stories.ts'
import { shorten } from '../../find-clips/pure/text-tools.ts'
import { Marks, MAX_CUTS } from './question.ts'
import type { StoryWindow, Talk } from './story-window.ts'

/** What a clip becomes: indexes of the talk's sentences, and its edges in seconds. */
export interface ValidMarks {
  readonly kind: 'valid'
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
  /** What the model leaves out, and that together with what interrupts the talk anywhere. */
  readonly cuts: readonly Interruption[]
  readonly leftOut: readonly Interruption[]
}

export type Checked =
  | ValidMarks
  /** The clip as it is. */
  | { readonly kind: 'same' }
  /** A clause. */
  | { readonly kind: 'refused'; readonly why: string }

/** The last object of an answer that has the form, however it is wrapped; null: none has. */
export function parseMarks(answer: string): Static<typeof Marks> | null {
  const text = answer.replace(/<think>[\s\S]*?(<\/think>|$)/g, '')
  const found = [...text.matchAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g)].flatMap(([part]) => {
    try {
      const value: unknown = Value.Convert(Marks, JSON.parse(part))
      return Value.Check(Marks, value) ? [value] : []
    } catch {
      return [] // no JSON: as if it were not there
    }
  })
  return found.at(-1) ?? null
}

/** Sentences by which the opening moves back where it needs what stands before it. */
const MOST_BACK = 3
/** The pay-off is at least the last two sentences and so many seconds; nothing of it is left out. */
const PAYOFF_SECONDS = 6
/** Part of the clip that the story must hold: it is about another story otherwise. */
const SAME_STORY = 0.5
/** Silence or laughter after a question that ends a story, seconds. */
const RESTS = 0.8
const LIKELY = 0.5

const refused = (why: string): Checked => ({ kind: 'refused', why })

export function checkMarks(talk: Talk, window: StoryWindow, marks: Static<typeof Marks> | null): Checked {
  const { sentences, stories } = talk.facts.analysis
  const { shown } = window
  if (marks === null) return refused('the answer cannot be read')
  const { begins, ends, leave_out: runs } = marks
  if (begins === 0 && ends === 0) return refused('it sees no whole story there')
  const numbers = [begins, ...runs.flatMap(({ from, to }) => [from, to]), ends]
  if (numbers.some((number) => number < 1 || number > shown.length))
    return refused('it names sentences that it was not shown')
  const isInOrder = numbers.every((number, place) => {
    const before = numbers[place - 1]
    // A run may be one sentence; all other numbers follow each other.
    const isEndOfRun = place % 2 === 0 && place < numbers.length - 1
    return before === undefined || number > before || (isEndOfRun && number === before)
  })
  if (!isInOrder) return refused('it leaves out the opening or the pay-off, or its numbers are not in order')
  if (runs.length > MAX_CUTS) return refused(`it leaves out more than ${MAX_CUTS} parts`)
  const at = (number: number): number => shown[number - 1] ?? 0
  const facts = shown.map((index) => stories.facts[index]).filter((one) => one !== undefined)
  const opening = standingAlone(facts, begins - 1, (place) => stories.odds.begins[at(place + 1)] ?? 0)
  if (opening === null) return refused(`it would begin in the middle: ${quote(sentences[at(begins)])}`)
  const from = at(opening + 1)
  const to = at(ends)
  const last = sentences[to]
  const first = sentences[from]
  const closing = facts[ends - 1]
  if (first === undefined || last === undefined || closing === undefined)
    return refused('the answer cannot be read')
  if (closing.unfinished || closing.announcement || (closing.question && last.after < RESTS))
    return refused(`it would end before something is answered or finished: ${quote(last)}`)
  const cuts = joined(runs).map((run) => ({ from: at(run.from), to: at(run.to) }))
  for (const run of joined(runs)) {
    const fault = faultOfCut(
      { sentences, facts, shown, language: talk.facts.language },
      { first: opening, last: ends - 1, run },
    )
    if (fault !== null) return refused(fault)
  }
  const tail = runs.at(-1)
  if (
    tail !== undefined &&
    (tail.to === ends - 1 || last.end - (sentences[at(tail.to)]?.end ?? 0) < PAYOFF_SECONDS)
  )
    return refused('it leaves out a part of the pay-off')
  const { candidate } = window
  const held = Math.min(last.end, candidate.end) - Math.max(first.start, candidate.start)
  if (held < SAME_STORY * (candidate.end - candidate.start))
    return refused('it marks another story than that of the clip')
  if (cuts.length === 0 && from === window.from && to === window.to) return { kind: 'same' }
  return inLimits(talk, { from, to, first, last, cuts })
}

function inLimits(
  { settings, facts }: Talk,
  place: { from: number; to: number; first: Sentence; last: Sentence; cuts: readonly Interruption[] },
): Checked {
  const { sentences, stories } = facts.analysis
  const { from, to, first, last, cuts } = place
  const leftOut = allLeftOut(sentences, stories.gaps.isLeftOut, cuts)
  const gaps = leaveOut(sentences, leftOut)
  const start = startBefore(first)
  const without = gaps.secondsBetween(from, to)
  const spoken = last.end - start - without
  if (spoken > settings.maxLength) return refused(`it would still be ${Math.ceil(spoken)} s long`)
  const end = roundMs(Math.min(endAfter(last), start + without + settings.maxLength))
  if (end - start - without < settings.minLength)
    return refused(`it would be only ${Math.floor(end - start - without)} s long`)
  return { kind: 'valid', from, to, start, end, cuts, leftOut }
}

/** Runs of sentences that are left out by either, joined where they touch. */
function allLeftOut(
  sentences: readonly Sentence[],
  interrupts: (index: number) => boolean,
  cuts: readonly Interruption[],
): Interruption[] {
  const runs: { from: number; to: number }[] = []
  sentences.forEach((_, index) => {
    if (!interrupts(index) && !cuts.some(({ from, to }) => index >= from && index <= to)) return
    const before = runs.at(-1)
    if (before?.to === index - 1) before.to = index
    else runs.push({ from: index, to: index })
  })
  return runs
}

/** The nearest place at or before one that needs nothing before it; null where there is none near. */
function standingAlone(
  facts: readonly SentenceFacts[],
  place: number,
  begins: (place: number) => number,
): number | null {
  for (let at = place; at >= Math.max(0, place - MOST_BACK); at -= 1)
    if (!dangles(facts, at) || begins(at) >= LIKELY) return at
  return null
}

interface Shown {
  readonly sentences: readonly Sentence[]
  readonly facts: readonly SentenceFacts[]
  readonly shown: readonly number[]
  readonly language: string
}

/**
 * Why a run cannot go; null where it can. A connective or a pronoun after it is no fault where the same speaker goes on:
 * three of four cuts that a person marked are followed by one, because stories are strung together by them.
 */
function faultOfCut(
  { sentences, facts, shown, language }: Shown,
  { first, last, run }: { first: number; last: number; run: Interruption },
): string | null {
  const from = run.from - 1
  const to = run.to - 1
  const before = facts[from - 1]
  const end = facts[to]
  const next = facts[to + 1]
  if (before?.question === true || before?.unfinished === true)
    return `it leaves out what follows a question or an unfinished line: ${quote(sentences[shown[from - 1] ?? 0])}`
  if (end?.question === true)
    return `it leaves out a question and keeps its answer: ${quote(sentences[shown[to + 1] ?? 0])}`
  if (next?.leaning === true && next.voice !== before?.voice)
    return `after what it leaves out somebody else goes on in the middle: ${quote(sentences[shown[to + 1] ?? 0])}`
  const textOf = (a: number, b: number): string =>
    shown
      .slice(a, b)
      .map((index) => sentences[index]?.text ?? '')
      .join(' ')
  // German writes every noun with a capital.
  const known = namesIn(textOf(first, from))
  const gone = language.startsWith('de') ? new Set<string>() : namesIn(textOf(from, to + 1))
  const lost = [...namesIn(textOf(to + 1, last + 1))].find((name) => gone.has(name) && !known.has(name))
  return lost === undefined ? null : `it leaves out where "${lost}" is named, which is spoken of later`
}

const namesIn = (text: string): Set<string> =>
  new Set(text.match(/(?<![.?!…:]["'”’)]* )(?<=\s)\p{Lu}\p{L}{2,}/gu) ?? [])

/** Runs that touch are one. */
function joined(runs: readonly Interruption[]): Interruption[] {
  const all: { from: number; to: number }[] = []
  for (const { from, to } of runs) {
    const before = all.at(-1)
    if (before?.to === from - 1) before.to = to
    else all.push({ from, to })
  }
  return all
}

const quote = (sentence: Sentence | undefined): string => `"${shorten(sentence?.text ?? '', 60)}"`
