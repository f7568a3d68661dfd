/**
 * PURE. Which runs of sentences are stories, given the odds of single sentences: every way to set stories into the
 * transcript is weighed, and a run is as probable as all those ways together that hold it (a semi-Markov random field,
 * Sarawagi & Cohen 2004). Stories do not overlap, so a strong one speaks against its neighbours' halves.
 */
import { prefixSums, sumBetween } from './numbers.ts'
import type { Sentence } from './sentences.ts'

/** Natural logarithms of the odds that a story begins with a sentence, ends with it, or goes on in it. */
export interface SentenceOdds {
  readonly begins: Float64Array
  readonly ends: Float64Array
  readonly belongs: Float64Array
  /** Words of each sentence. */
  readonly words: readonly number[]
}

/** Runs of sentences that may be stories, by their first sentence; both indexes inclusive. */
export interface Spans {
  readonly from: readonly number[]
  readonly to: readonly number[]
  /** One row a run, see inputsOf. */
  readonly inputs: readonly (readonly number[])[]
}

/** Seconds of a usual story, and the shortest and longest as parts of it: those around an interruption are the longest. */
const USUAL_SECONDS = 50
const SHORTEST = 0.2
const LONGEST = 2.8
/** Clips that may not be much longer than a usual story are to hold shorter ones: the usual part of their limit. */
const USUAL_PART = 0.6
/** No single edge, and no single sentence, decides more than this. */
const MOST_EDGE = 4
const MOST_INSIDE = 3
/** Sentences before and after that are compared with the run, and the fewest words that are measured. */
const AROUND = 4
const FEWEST_WORDS = 20

/** `maxLength`: of clips, in seconds. */
export const listSpans = (sentences: readonly Sentence[], odds: SentenceOdds, maxLength: number): Spans =>
  listSpansOf(sentences, odds, Math.min(USUAL_SECONDS, USUAL_PART * maxLength))

/** `usual`: seconds of a usual story. */
export function listSpansOf(sentences: readonly Sentence[], odds: SentenceOdds, usual: number): Spans {
  const from: number[] = []
  const to: number[] = []
  const inputs: number[][] = []
  const inputsAt = inputsOf(odds)
  sentences.forEach(({ start }, first) => {
    for (let last = first; last < sentences.length; last += 1) {
      const seconds = (sentences[last]?.end ?? 0) - start
      if (seconds > LONGEST * usual) break
      if (seconds < SHORTEST * usual) continue
      from.push(first)
      to.push(last)
      inputs.push(inputsAt(first, last, Math.log(seconds / usual)))
    }
  })
  return { from, to, inputs }
}

/** Odds, and 0 where there is no sentence, but never more than `most` for or against. */
const within = (odds: number | undefined, most: number): number => Math.min(most, Math.max(-most, odds ?? 0))

/** Its edges, how much goes on inside in all and by the word, its length, and what goes on before and after it. */
function inputsOf({ begins, ends, belongs, words }: SentenceOdds) {
  const inside = prefixSums(words.map((count, index) => within(belongs[index], MOST_INSIDE) * count))
  const spoken = prefixSums(words)
  const density = (from: number, to: number): number => {
    const a = Math.max(0, from)
    const b = Math.min(words.length - 1, to)
    return a > b ? 0 : sumBetween(inside, a, b) / Math.max(FEWEST_WORDS, sumBetween(spoken, a, b))
  }
  return (from: number, to: number, length: number): number[] => {
    return [
      within(begins[from], MOST_EDGE),
      within(ends[to], MOST_EDGE),
      sumBetween(inside, from, to) / 100,
      density(from, to),
      length,
      length * length,
      density(from - AROUND, from - 1),
      density(to + 1, to + AROUND),
    ]
  }
}

/** The probability of each run. `scores`: logarithms of their odds, against no story there; `count`: of sentences. */
export function probabilitiesOf({ from, to }: Spans, scores: readonly number[], count: number): Float64Array {
  const before = new Float64Array(count + 1).fill(-Infinity)
  before[0] = 0
  let at = 0
  for (let index = 0; index < count; index += 1) {
    before[index + 1] = addLogs(before[index + 1] ?? 0, before[index] ?? 0)
    for (; from[at] === index; at += 1) {
      const next = (to[at] ?? 0) + 1
      before[next] = addLogs(before[next] ?? 0, (before[index] ?? 0) + (scores[at] ?? 0))
    }
  }
  const after = new Float64Array(count + 1)
  at = from.length - 1
  for (let index = count - 1; index >= 0; index -= 1) {
    after[index] = after[index + 1] ?? 0
    for (; from[at] === index; at -= 1)
      after[index] = addLogs(after[index] ?? 0, (after[(to[at] ?? 0) + 1] ?? 0) + (scores[at] ?? 0))
  }
  const all = before[count] ?? 0
  return Float64Array.from(scores, (score, place) =>
    Math.exp((before[from[place] ?? 0] ?? 0) + score + (after[(to[place] ?? 0) + 1] ?? 0) - all),
  )
}

function addLogs(a: number, b: number): number {
  const most = Math.max(a, b)
  return most === -Infinity ? most : most + Math.log1p(Math.exp(Math.min(a, b) - most))
}

export interface StoryOdds {
  /** The expected number of whole stories from one sentence to another. */
  readonly holds: (from: number, to: number) => number
  /** Probabilities that a story begins with, ends with, and goes on after a sentence. */
  readonly begins: Float64Array
  readonly ends: Float64Array
  readonly goesOn: Float64Array
}

export function storyOddsOf({ from, to }: Spans, probabilities: Float64Array, count: number): StoryOdds {
  const begins = new Float64Array(count)
  const ends = new Float64Array(count)
  const steps = new Float64Array(count + 1)
  const rows: { first: number; sums: number[] }[] = []
  probabilities.forEach((probability, place) => {
    const first = from[place] ?? 0
    const last = to[place] ?? 0
    begins[first] = (begins[first] ?? 0) + probability
    ends[last] = (ends[last] ?? 0) + probability
    steps[first] = (steps[first] ?? 0) + probability
    steps[last] = (steps[last] ?? 0) - probability
    const row = (rows[first] ??= { first: last, sums: [] })
    row.sums.push((row.sums.at(-1) ?? 0) + probability)
  })
  let inside = 0
  const goesOn = Float64Array.from({ length: count }, (_, index) => (inside += steps[index] ?? 0))
  const holds = (a: number, b: number): number => {
    let sum = 0
    for (let index = a; index <= b; index += 1) {
      const row = rows[index]
      if (row !== undefined && row.first <= b)
        sum += row.sums[Math.min(b - row.first, row.sums.length - 1)] ?? 0
    }
    return sum
  }
  return { holds, begins, ends, goesOn }
}
