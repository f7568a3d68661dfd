/**
 * PURE. Where stories and whole thoughts begin and end, and what belongs to them. What tells them from the talk around them
 * was learned from written talks with planted stories (test/bench/talks, `npm run train:stories`).
 */
import type { SoundEvent } from '../../../../server/contract/source-facts.ts'
import { patternsOf } from './languages.ts'
import { prefixSums, sumBetween } from './numbers.ts'
import { factsOf, type SentenceFacts } from './sentence-facts.ts'
import type { Sentence } from './sentences.ts'
import { storyInputsOf } from './story-inputs.ts'
import { STORY_WEIGHTS, type StoryQuestion } from './story-weights.ts'
import { topicChanges } from './topic-change.ts'

/** Natural logarithms of the odds, one a sentence. */
export interface Stories {
  readonly facts: readonly SentenceFacts[]
  readonly begins: Float64Array
  readonly ends: Float64Array
  /** Prefix sums of the odds that a sentence belongs to a story, times its words; and of the words. */
  readonly belongs: Float64Array
  readonly words: Float64Array
  /** Prefix sums of the sentences that are nothing but notices, greetings and the like. */
  readonly housekeeping: Float64Array
}

export interface StoryContext {
  readonly language: string
  /** Empty where reactions were not listened for. */
  readonly events: readonly SoundEvent[]
  /** One a sentence, of a model of meaning; null without one. */
  readonly vectors: readonly Float32Array[] | null
}

/** No single sentence decides more than this. */
const MOST_ODDS = 3

export function findStories(
  sentences: readonly Sentence[],
  { language, events, vectors }: StoryContext,
): Stories {
  const facts = factsOf(sentences, patternsOf(language), events)
  const inputs = storyInputsOf(sentences, facts, topicChanges(facts, vectors))
  const odds = (question: StoryQuestion): Float64Array => {
    const { bias, weights } = STORY_WEIGHTS[question]
    return Float64Array.from(sentences, (_, index) =>
      inputs(index, question).reduce((sum, value, place) => sum + value * (weights[place] ?? 0), bias),
    )
  }
  const belongs = odds('belongs').map((value) => Math.min(MOST_ODDS, Math.max(-MOST_ODDS, value)))
  return {
    facts,
    begins: odds('begins'),
    ends: odds('ends'),
    belongs: prefixSums([...belongs].map((value, index) => value * (facts[index]?.words ?? 0))),
    words: prefixSums(facts.map(({ words }) => words)),
    housekeeping: prefixSums(facts.map((one) => Number(isHousekeeping(one)))),
  }
}

/** One such word may stand in a story; so many, or one in so short a sentence, do not. */
const isHousekeeping = (one: SentenceFacts | undefined): boolean =>
  one !== undefined && (one.housekeeping >= 2 || (one.housekeeping === 1 && one.words <= 8))

const EDGES = 0.2
const INSIDE = 0.5
/** A long story is worth more than a short one of the same density, by this power of its words. */
const LENGTH_POWER = 0.4
const LENGTH = 0.7
const USUAL_SECONDS = 40
const HOUSEKEEPING = 1
const MOST_HOUSEKEEPING = 6

/** How much a run of sentences is a story of its own: about -2 for any talk, 1 for most stories, 3 for the clearest. */
export function storyValue(
  { begins, ends, belongs, words, housekeeping }: Stories,
  from: number,
  to: number,
  seconds: number,
): number {
  const spoken = Math.max(1, sumBetween(words, from, to))
  const inside = sumBetween(belongs, from, to) / spoken
  return (
    EDGES * ((begins[from] ?? 0) + (ends[to] ?? 0)) +
    INSIDE * inside * (spoken / 100) ** LENGTH_POWER +
    LENGTH * Math.log(Math.max(1, seconds) / USUAL_SECONDS) -
    HOUSEKEEPING * Math.min(MOST_HOUSEKEEPING, sumBetween(housekeeping, from, to))
  )
}

/** 0 to 100: whether it opens where nothing before it is needed, and ends where nothing is left open. */
export function completenessOf({ begins, ends }: Stories, from: number, to: number): number {
  const share = (odds: number): number => 1 / (1 + Math.exp(-odds))
  return 100 * Math.sqrt(share(begins[from] ?? 0) * share(ends[to] ?? 0))
}

/** A beginning or an end that is nearly as good, and with which more of the story is kept. */
const NEARLY = { begins: 1, ends: 0.5 } as const
const REACH = { begins: { sentences: 6, seconds: 25 }, ends: { sentences: 5, seconds: 15 } } as const
const STILL_INSIDE = -0.5

/** The first sentence with which a story may begin as well as with `from`, where what lies between belongs to it. */
export function earlierBeginning(
  stories: Stories,
  sentences: readonly Sentence[],
  from: number,
  isFree: (index: number) => boolean,
): number {
  let best = from
  for (let at = from - 1; at >= Math.max(0, from - REACH.begins.sentences); at -= 1) {
    if ((sentences[from]?.start ?? 0) - (sentences[at]?.start ?? 0) > REACH.begins.seconds || !isFree(at))
      break
    if (isHousekeeping(stories.facts[at])) break
    const near = (stories.begins[at] ?? 0) >= (stories.begins[from] ?? 0) - NEARLY.begins
    if (near && meanOf(stories, at, from - 1) >= STILL_INSIDE) best = at
  }
  return best
}

/** The last sentence with which it may end as well as with `to`. */
export function laterEnding(
  stories: Stories,
  sentences: readonly Sentence[],
  to: number,
  isFree: (index: number) => boolean,
): number {
  let best = to
  for (let at = to + 1; at <= Math.min(sentences.length - 1, to + REACH.ends.sentences); at += 1) {
    if ((sentences[at]?.end ?? 0) - (sentences[to]?.end ?? 0) > REACH.ends.seconds || !isFree(at)) break
    if (isHousekeeping(stories.facts[at])) break
    const near = (stories.ends[at] ?? 0) >= (stories.ends[to] ?? 0) - NEARLY.ends
    if (near && meanOf(stories, to + 1, at) >= STILL_INSIDE) best = at
  }
  return best
}

const meanOf = ({ belongs, words }: Stories, from: number, to: number): number =>
  sumBetween(belongs, from, to) / Math.max(1, sumBetween(words, from, to))
