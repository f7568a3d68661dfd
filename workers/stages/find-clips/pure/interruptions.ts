/**
 * PURE. Where a tale breaks off and goes on later: somebody is at the door, the news is read, a guest does not answer yet. What
 * lies between is left out of clips that hold both sides. What tells it from a tale that just goes on was learned from
 * written talks (`npm run train:interruptions`): most of all that what stands before and after it reads like a story.
 */
import type { LanguagePatterns } from './languages.ts'
import { INTERRUPTION_WEIGHTS } from './interruption-weights.ts'
import { prefixSums, sumBetween, weigh } from './numbers.ts'
import type { SentenceFacts } from './sentence-facts.ts'
import type { Sentence } from './sentences.ts'
import { countMatches, plainText } from './word-patterns.ts'

/** Indexes of the first and last sentence that are left out. */
export interface Interruption {
  readonly from: number
  readonly to: number
}

export interface InterruptionContext {
  readonly sentences: readonly Sentence[]
  readonly facts: readonly SentenceFacts[]
  readonly patterns: LanguagePatterns | null
  /** Natural logarithms of the odds that a sentence belongs to a story, see storyInputsOf. */
  readonly belongs: Float64Array
}

const SHORTEST_SECONDS = 8
const LONGEST_SECONDS = 75
const USUAL_SECONDS = 30
/** Sentences that are looked at before and after. */
const BEFORE = 3
const AFTER = 3
/** No sentence counts more than so much for a story or against one. */
const MOST_BELONGS = 3
/** Of rare words that come back, as natural logarithms of their rarity. */
const REPEATED = 8
const MOST_REPEATED = 1.5
/** Natural logarithm of the odds from which on it is left out: where talks that were not learned from hold no mistake in a story. */
const ENOUGH = 1.5

/** Those of a talk, in order, apart from each other. */
export function findInterruptions(context: InterruptionContext): Interruption[] {
  const inputs = interruptionInputs(context)
  const places = listPlaces(context.sentences)
  return chooseLikely(places, (place) => weigh(INTERRUPTION_WEIGHTS, inputs(place)), ENOUGH)
    .map(({ from, to }) => ({ from, to }))
    .sort((a, b) => a.from - b.from)
}

/** The likeliest places with one sentence between them at least. `oddsOf`: natural logarithms. */
export function chooseLikely<Place extends Interruption>(
  places: readonly Place[],
  oddsOf: (place: Place) => number,
  least: number,
): Place[] {
  const ranked = places
    .map((place) => ({ place, odds: oddsOf(place) }))
    .filter(({ odds }) => odds >= least)
    .toSorted((a, b) => b.odds - a.odds)
  const chosen: Place[] = []
  for (const { place } of ranked)
    if (chosen.every(({ from, to }) => place.to + 1 < from || place.from > to + 1)) chosen.push(place)
  return chosen
}

/** All places that are neither too short nor too long for an interruption, with sentences before and after. */
export function listPlaces(sentences: readonly Sentence[]): Interruption[] {
  const places: Interruption[] = []
  for (let from = BEFORE; from < sentences.length; from += 1) {
    const start = sentences[from]?.start ?? 0
    for (let to = from + 1; to < sentences.length - AFTER; to += 1) {
      const seconds = (sentences[to]?.end ?? 0) - start
      if (seconds > LONGEST_SECONDS) break
      if (seconds >= SHORTEST_SECONDS) places.push({ from, to })
    }
  }
  return places
}

/** What is known of a place, as numbers, in the order of the weights. */
export function interruptionInputs({ sentences, facts, patterns, belongs }: InterruptionContext) {
  const plain = sentences.map(({ text }) => plainText(text))
  const has = (name: 'interrupts' | 'resumes', index: number): boolean =>
    countMatches(plain[index] ?? '', patterns?.[name]) > 0
  const words = prefixSums(facts.map((one) => one.words))
  const wordsIn = (from: number, to: number): number => Math.max(1, sumBetween(words, from, to))
  const perWord = (sums: Float64Array, from: number, to: number): number =>
    sumBetween(sums, from, to) / wordsIn(from, to)
  const ofStory = prefixSums(
    facts.map((one, at) => one.words * Math.min(MOST_BELONGS, Math.max(-MOST_BELONGS, belongs[at] ?? 0))),
  )
  const first = prefixSums(facts.map((one) => one.first))
  const rarity = rarityOf(facts)
  const termsOf = (from: number, to: number): Set<string> =>
    new Set(facts.slice(Math.max(0, from), to + 1).flatMap(({ terms }) => [...terms]))
  const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
    [...a].reduce((sum, term) => sum + (b.has(term) ? (rarity.get(term) ?? 0) : 0), 0) / REPEATED
  const most = (value: number): number => Math.min(MOST_REPEATED, value)
  return ({ from, to }: Interruption): number[] => {
    const length = to - from + 1
    const speaker = sentences[from - 1]?.speaker
    let ofTeller = 0
    for (let at = from; at <= to; at += 1)
      if (sentences[at]?.speaker === speaker) ofTeller += facts[at]?.words ?? 0
    const seconds = Math.log(((sentences[to]?.end ?? 0) - (sentences[from]?.start ?? 0)) / USUAL_SECONDS)
    const before = termsOf(from - BEFORE, from - 1)
    const inside = termsOf(from, to)
    const after = termsOf(to + 1, to + 2)
    return [
      Number(has('interrupts', from)),
      Number([to - 1, to, to + 1].some((index) => has('resumes', index))),
      Number(sentences[to + 1]?.speaker !== sentences[to]?.speaker),
      most(shared(after, before)),
      most(shared(inside, before) / length / 2) * REPEATED,
      perWord(ofStory, from - BEFORE, from - 1),
      perWord(ofStory, from, to),
      perWord(ofStory, to + 1, to + AFTER),
      10 * perWord(first, from, to),
      wordsIn(from, to) / length / 10,
      Number(facts[from - 1]?.question ?? false),
      ofTeller / wordsIn(from, to),
      seconds,
      seconds ** 2,
      shared(after, inside),
      (facts[from]?.words ?? 0) / 10,
      (facts[to]?.words ?? 0) / 10,
      Number(facts[to + 1]?.leaning ?? false),
    ]
  }
}

/** Natural logarithm of all sentences to those that have a word. */
function rarityOf(facts: readonly SentenceFacts[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { terms } of facts) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return new Map([...counts].map(([term, count]) => [term, Math.log(facts.length / count)]))
}
