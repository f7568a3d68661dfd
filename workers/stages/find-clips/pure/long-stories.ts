/**
 * PURE. Which clips are likely only a part of a story that is longer than a clip may be. The odds of single sentences are
 * those of all stories (story-weights.ts); the runs that they are set into are looked for at the scale of the limit.
 */
import { weigh } from './numbers.ts'
import type { Sentence } from './sentences.ts'
import { listSpansOf, probabilitiesOf, type SentenceOdds } from './story-spans.ts'
import { SPAN_WEIGHTS } from './story-weights.ts'

export interface LongStory {
  /** Its first and last sentence. */
  readonly from: number
  readonly to: number
  /** 0 to 1: that the clip lies in some story that is longer than the limit. */
  readonly probability: number
}

/** The likeliest story around the sentences of a clip that is longer than a clip may be; null where none was looked for. */
export type LongStoryAround = (from: number, to: number) => LongStory | null

/** Limits for which it was measured (docs/decisions/0059); others are not looked at. */
const SHORTEST_LIMIT = 60
const LONGEST_LIMIT = 180
/** A usual story is looked for at this part of the limit: those around it are found from a fifth to 2.8 times as long. */
const USUAL_PART = 0.8
/** A story is longer than the limit only if it is so by this much. */
const LONGER = 1.02
/** Runs of more than so many times the limit are rather two stories than one. */
const LONGEST = 2
/** Part of a clip that must lie in it. */
const MOST = 0.6

/** Nothing is weighed until a clip is asked about. `maxLength`: of clips, in seconds. */
export function longStoriesIn(
  sentences: readonly Sentence[],
  odds: SentenceOdds,
  maxLength: number,
): LongStoryAround {
  if (maxLength < SHORTEST_LIMIT || maxLength > LONGEST_LIMIT) return () => null
  let known: readonly { from: number; to: number; probability: number }[] | null = null
  return (from, to) => {
    known ??= weighRuns(sentences, odds, maxLength)
    const start = sentences[from]?.start ?? 0
    const end = sentences[to]?.end ?? 0
    let best: LongStory | null = null
    let probability = 0
    for (const run of known) {
      const inside =
        Math.min(end, sentences[run.to]?.end ?? 0) - Math.max(start, sentences[run.from]?.start ?? 0)
      if (inside < MOST * (end - start)) continue
      probability += run.probability
      if (best === null || run.probability > best.probability) best = run
    }
    return best === null ? null : { from: best.from, to: best.to, probability }
  }
}

/** Runs that are longer than the limit, each with its probability. */
function weighRuns(sentences: readonly Sentence[], odds: SentenceOdds, maxLength: number) {
  const spans = listSpansOf(sentences, odds, USUAL_PART * maxLength)
  const scores = spans.inputs.map((row) => weigh(SPAN_WEIGHTS, row))
  const probabilities = probabilitiesOf(spans, scores, sentences.length)
  return spans.from.flatMap((from, place) => {
    const to = spans.to[place] ?? from
    const seconds = (sentences[to]?.end ?? 0) - (sentences[from]?.start ?? 0)
    return seconds <= LONGER * maxLength || seconds > LONGEST * maxLength
      ? []
      : [{ from, to, probability: probabilities[place] ?? 0 }]
  })
}

/** From this probability on a reason says so: of the tuned talks four of five such clips were parts of a longer story. */
export const LIKELY = 0.5
/** An edge of the clip that is nearer to the story's is the same. */
const SAME_SECONDS = 1

/** What a reason advises beside it; not said where a language model was asked. */
export const LONG_STORY_ADVICE =
  ' Allow longer clips, or let a language model shorten it (Settings, Language and speech).'

/** What a clip has not of a story: a sentence, with how long the story is, as far as the odds tell. Null: it has all. */
export function describeLongStory(
  story: { readonly start: number; readonly end: number },
  clip: { readonly start: number; readonly end: number },
  maxLength: number,
): string | null {
  const sides = [
    ...(clip.start - story.start > SAME_SECONDS ? ['its opening'] : []),
    ...(story.end - clip.end > SAME_SECONDS ? ['its end'] : []),
  ]
  if (sides.length === 0) return null
  const [first = ''] = sides
  const missing = sides.length === 1 ? `${first} is` : `${sides.join(' and ')} are`
  return `This story seems to run about ${inMinutes(Math.round((story.end - story.start) / 10) * 10)}, and clips may last ${inMinutes(maxLength)}: ${missing} not in the clip.${LONG_STORY_ADVICE}`
}

const inMinutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`
