/**
 * PURE. Where stories and whole thoughts begin and end, and what belongs to them. What tells them from the talk around them
 * was learned from written talks with planted stories (test/bench/talks, `npm run train:stories`).
 */
import type { SoundEvent } from '../../../../server/contract/source-facts.ts'
import { findInterruptions, type Interruption } from './interruptions.ts'
import { patternsOf } from './languages.ts'
import { prefixSums, sumBetween, weigh } from './numbers.ts'
import { factsOf, type SentenceFacts } from './sentence-facts.ts'
import { leaveOut, type Gaps } from './left-out.ts'
import { longStoriesIn, type LongStoryAround } from './long-stories.ts'
import type { Sentence } from './sentences.ts'
import { storyInputsOf } from './story-inputs.ts'
import { listSpans, probabilitiesOf, storyOddsOf, type SentenceOdds, type StoryOdds } from './story-spans.ts'
import { SPAN_WEIGHTS, STORY_WEIGHTS, type StoryQuestion } from './story-weights.ts'
import { topicChanges } from './topic-change.ts'

export interface Stories {
  readonly facts: readonly SentenceFacts[]
  readonly odds: StoryOdds
  /** 0 to 1, one a sentence: how much a clip that begins with it needs what was said before. */
  readonly needsBefore: Float64Array
  /** 0 to 1, one a sentence: how much a clip that ends with it leaves open. */
  readonly leavesOpen: Float64Array
  /** Prefix sums of the sentences that are nothing but notices, greetings and the like. */
  readonly housekeeping: Float64Array
  /** Interruptions, which clips that hold both sides leave out. */
  readonly gaps: Gaps
  /** Whether a run of sentences is likely a part of a story that is longer than a clip may be. */
  readonly longer: LongStoryAround
  /** Of clips, in seconds. */
  readonly maxLength: number
}

export interface StoryContext {
  readonly language: string
  /** Empty where reactions were not listened for. */
  readonly events: readonly SoundEvent[]
  /** One a sentence, of a model of meaning; null without one. */
  readonly vectors: readonly Float32Array[] | null
  /** Of clips, in seconds: stories that fit are looked for. */
  readonly maxLength: number
  /** What clips leave out, where that was decided already; otherwise interruptions are looked for. */
  readonly leftOut?: readonly Interruption[]
}

export function findStories(
  sentences: readonly Sentence[],
  { language, events, vectors, maxLength, leftOut }: StoryContext,
): Stories {
  const patterns = patternsOf(language)
  const facts = factsOf(sentences, patterns, events)
  const gaps = leaveOut(
    sentences,
    leftOut ?? findInterruptions({ sentences, facts, patterns, belongs: belongsOf(sentences, facts) }),
  )
  const { kept, moved } = gaps
  const vectorsKept = vectors === null ? null : kept.flatMap((index) => vectors[index] ?? [])
  const without =
    kept.length === sentences.length
      ? facts
      : factsOf(
          kept.flatMap((index) => sentences[index] ?? []),
          patterns,
          events,
        )
  const signs = readSigns(moved, without, vectorsKept)
  const odds = readOdds(moved, signs, maxLength)
  const longer = longStoriesIn(moved, signs, maxLength)
  const needsBefore = Float64Array.from(without, (_, index) =>
    Math.max(odds.goesOn[index - 1] ?? 0, dangles(without, index) ? 1 - (odds.begins[index] ?? 0) : 0),
  )
  const leavesOpen = Float64Array.from(without, (_, index) =>
    Math.max(odds.goesOn[index] ?? 0, hangs(without, index) ? 1 - (odds.ends[index] ?? 0) : 0),
  )
  const place = (index: number): number => gaps.places[index] ?? 0
  const spread = (values: Float64Array): Float64Array =>
    Float64Array.from(sentences, (_, index) => (gaps.isLeftOut(index) ? 0 : (values[place(index)] ?? 0)))
  return {
    facts,
    gaps,
    odds: {
      holds: (from, to) => odds.holds(place(from), place(to)),
      begins: spread(odds.begins),
      ends: spread(odds.ends),
      goesOn: spread(odds.goesOn),
    },
    longer: (from, to) => {
      const found = longer(place(from), place(to))
      return found === null
        ? null
        : { ...found, from: gaps.kept[found.from] ?? from, to: gaps.kept[found.to] ?? to }
    },
    maxLength,
    needsBefore: spread(needsBefore),
    leavesOpen: spread(leavesOpen),
    housekeeping: prefixSums(
      facts.map((one, index) => Number(isHousekeeping(one) && !gaps.isLeftOut(index))),
    ),
  }
}

/** The odds that each sentence belongs to a story, before interruptions are known. */
export function belongsOf(sentences: readonly Sentence[], facts: readonly SentenceFacts[]): Float64Array {
  const inputs = storyInputsOf(sentences, facts, topicChanges(facts, null))
  return Float64Array.from(sentences, (_, index) => weigh(STORY_WEIGHTS.belongs, inputs(index, 'belongs')))
}

function readSigns(
  sentences: readonly Sentence[],
  facts: readonly SentenceFacts[],
  vectors: readonly Float32Array[] | null,
): SentenceOdds {
  const inputs = storyInputsOf(sentences, facts, topicChanges(facts, vectors))
  const oddsOf = (question: StoryQuestion): Float64Array =>
    Float64Array.from(sentences, (_, index) => weigh(STORY_WEIGHTS[question], inputs(index, question)))
  return {
    begins: oddsOf('begins'),
    ends: oddsOf('ends'),
    belongs: oddsOf('belongs'),
    words: facts.map(({ words }) => words),
  }
}

function readOdds(sentences: readonly Sentence[], signs: SentenceOdds, maxLength: number): StoryOdds {
  const spans = listSpans(sentences, signs, maxLength)
  const scores = spans.inputs.map((row) => weigh(SPAN_WEIGHTS, row))
  return storyOddsOf(spans, probabilitiesOf(spans, scores, sentences.length), sentences.length)
}

/** A connective or a pronoun without its noun, or an answer without its question. */
export const dangles = (facts: readonly SentenceFacts[], index: number): boolean =>
  (facts[index]?.leaning === true && !(facts[index].opening && facts[index].question)) ||
  facts[index - 1]?.question === true

/** A question or an announcement without what follows, or a line that the same speaker goes on with. */
export const hangs = (facts: readonly SentenceFacts[], index: number): boolean => {
  const here = facts[index]
  const next = facts[index + 1]
  const followed = next?.leaning === true && !next.changes && !next.reaction
  return here !== undefined && (here.question || here.unfinished || here.announcement || followed)
}

/** One such word may stand in a story; so many, or one in so short a sentence, do not. */
const isHousekeeping = (one: SentenceFacts): boolean =>
  one.housekeeping >= 2 || (one.housekeeping === 1 && one.words <= 8)

/** What a whole story is worth, and what counts against it. */
const WHOLE = 4
const NOTHING = -0.4
const LENGTH = 0.2
const LONG_SECONDS = 90
const BEFORE = 0.3
const OPEN = 0.25
const HOUSEKEEPING = 0.2
const MOST_HOUSEKEEPING = 6
/** How much a run of sentences is a story of its own: about -1 for any talk, 1 for most stories, 3 for the clearest. */
export function storyValue(stories: Stories, from: number, to: number, seconds: number): number {
  const { odds, housekeeping, needsBefore, leavesOpen } = stories
  return (
    NOTHING +
    WHOLE *
      (Math.min(1, odds.holds(from, to)) -
        LENGTH * (seconds / LONG_SECONDS) -
        BEFORE * (needsBefore[from] ?? 0) -
        OPEN * (leavesOpen[to] ?? 0) -
        HOUSEKEEPING * Math.min(MOST_HOUSEKEEPING, sumBetween(housekeeping, from, to)))
  )
}

/** 0 to 100: whether it opens where nothing before it is needed, and ends where nothing is left open. */
export const completenessOf = ({ needsBefore, leavesOpen }: Stories, from: number, to: number): number =>
  100 * (1 - (needsBefore[from] ?? 0)) * (1 - (leavesOpen[to] ?? 0))
