/**
 * Learns which runs of sentences are stories: the weights with which the planted stories of all talks are the most probable
 * way to set stories into them (conditional maximum likelihood with ridge, by Adam).
 */
import type { Sentence } from '../../../workers/stages/find-clips/pure/sentences.ts'
import {
  listSpans,
  probabilitiesOf,
  type SentenceOdds,
} from '../../../workers/stages/find-clips/pure/story-spans.ts'
import type { Weights } from '../../../workers/stages/find-clips/pure/story-weights.ts'
import type { PlantedStory } from './read-talk.ts'

export interface JudgedTalk {
  readonly sentences: readonly Sentence[]
  readonly stories: readonly PlantedStory[]
  readonly odds: SentenceOdds
}

const RIDGE = 0.02
const STEPS = 150
const RATE = 0.1
const FIRST_BIAS = -6
/** Seconds by which times may differ. */
const NEAR = 0.05

export function learnSpans(talks: readonly JudgedTalk[]): Weights {
  const examples = talks.map(({ sentences, stories, odds }) => {
    const spans = listSpans(sentences, odds, Infinity)
    const places = stories.flatMap((story) => {
      const place = placeOf(sentences, story)
      const at = spans.from.findIndex((from, index) => from === place.from && spans.to[index] === place.to)
      return at < 0 ? [] : [at]
    })
    return { spans, stories: places, count: sentences.length }
  })
  const all = examples.flatMap(({ spans }) => spans.inputs)
  const size = all[0]?.length ?? 0
  const means = Array.from({ length: size }, (_, at) => mean(all.map((row) => row[at] ?? 0)))
  const spreads = means.map(
    (middle, at) => Math.sqrt(mean(all.map((row) => ((row[at] ?? 0) - middle) ** 2))) + 1e-6,
  )
  const scaled = examples.map(({ spans }) =>
    // The last input is the bias.
    spans.inputs.map((row) => [
      ...row.map((value, at) => (value - (means[at] ?? 0)) / (spreads[at] ?? 1)),
      1,
    ]),
  )
  const weights = new Float64Array(size + 1)
  weights[size] = FIRST_BIAS
  const slow = new Float64Array(size + 1)
  const square = new Float64Array(size + 1)
  for (let step = 1; step <= STEPS; step += 1) {
    const gradient = Float64Array.from(weights, (weight, at) => (at < size ? -RIDGE * weight : 0))
    examples.forEach(({ spans, stories, count }, talk) => {
      const rows = scaled[talk] ?? []
      const scores = rows.map((row) => row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0))
      const excess = probabilitiesOf(spans, scores, count).map((probability) => -probability)
      for (const story of stories) excess[story] = (excess[story] ?? 0) + 1
      rows.forEach((row, index) => {
        const by = (excess[index] ?? 0) / examples.length
        if (Math.abs(by) > 1e-9) row.forEach((value, at) => (gradient[at] = (gradient[at] ?? 0) + by * value))
      })
    })
    gradient.forEach((value, at) => {
      slow[at] = 0.9 * (slow[at] ?? 0) + 0.1 * value
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * value * value
      const rise = (slow[at] ?? 0) / (1 - 0.9 ** step)
      const width = Math.sqrt((square[at] ?? 0) / (1 - 0.999 ** step)) + 1e-8
      weights[at] = (weights[at] ?? 0) + (RATE * rise) / width
    })
  }
  const plain = spreads.map((spread, at) => (weights[at] ?? 0) / spread)
  const shift = plain.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0)
  return { bias: (weights[size] ?? 0) - shift, weights: plain }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** From its opening to the last sentence that belongs to it: what comes after the pay-off is better kept than lost. */
function placeOf(sentences: readonly Sentence[], { openingStart, payoffEnd, end }: PlantedStory) {
  const latest = Math.max(payoffEnd, end) + NEAR
  return {
    from: sentences.findIndex(({ start }) => Math.abs(start - openingStart) < NEAR),
    to: sentences.findLastIndex((sentence) => sentence.end <= latest),
  }
}
