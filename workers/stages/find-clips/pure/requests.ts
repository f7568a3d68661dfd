/** PURE. What was requested, measured over the sentences of a talk: by the words that are said, and by meaning where a model knows it. */
import { createAimMeter, type Aim } from './aims.ts'
import type { Judged } from './judge-sentence.ts'
import { isForeign, nearnessOf, type NearStretch } from './meaning.ts'
import { prefixSums, sumBetween } from './numbers.ts'
import { createCover, createTellingMeter, type Cover } from './request-cover.ts'
import type { Sentence } from './sentences.ts'
import { widenSteering, type Steering } from './steering.ts'

/** A value of the sentences `from` to `to`, both inclusive. */
type Meter = (from: number, to: number) => number

export interface Requests {
  /** With the words of the talk that are close to the requested ones. */
  readonly steering: Steering
  readonly cover: Cover
  /** How densely the requested words are said, and by meaning how many sentences stand out; below 0 for what is refused. */
  readonly density: Meter
  /** How near each sentence comes to it by meaning, and to which preference; absent without a model. */
  readonly nearness?: ReturnType<typeof nearnessOf>
  /** Cosine with all that was requested, less what is refused; absent without a model. */
  readonly aim?: Meter
  /** The same without what is refused; absent where nothing else was requested or the model does not know the language. */
  readonly fit?: Meter
  /** Whether there is a model to which everything in this talk seems alike, as in a language that it was not made for. */
  readonly foreign: boolean
}

export interface RequestInput {
  readonly sentences: readonly Sentence[]
  readonly judged: readonly Judged[]
  /** See termWeights. */
  readonly idf: ReadonlyMap<string, number>
  readonly requested: Steering
  readonly meaning?: readonly NearStretch[]
  readonly aims?: readonly Aim[]
  /** Of each sentence; null without a model. */
  readonly vectors: readonly Float32Array[] | null
}

export function measureRequests(input: RequestInput): Requests {
  const { sentences, judged, idf, requested, meaning, aims, vectors } = input
  const steering = widenSteering(requested, new Set(idf.keys()))
  const stems = judged.map((one) => one.stems)
  const nearness = meaning === undefined ? undefined : nearnessOf(sentences, meaning)
  const weigh = createWordScale(steering, idf)
  const evidence = prefixSums(spreadTopics(stems.map((one, at) => weigh(one) + (nearness?.[at]?.near ?? 0))))
  const words = judged.map(({ wordCount }) => wordCount)
  const wordSums = prefixSums(words)
  const measured: Requests = {
    steering,
    cover: createCover(stems, requested, idf),
    density: (from, to) =>
      sumBetween(evidence, from, to) / Math.sqrt(Math.max(8, sumBetween(wordSums, from, to))),
    foreign: false,
  }
  if (nearness === undefined) return measured
  if (aims === undefined || vectors === null) return { ...measured, nearness }
  const aim = createAimMeter(words, vectors, aims)
  const wanted = aims.filter(({ weight }) => weight > 0)
  if (wanted.length === 0) return { ...measured, nearness, aim }
  if (isForeign(sentences, vectors)) return { ...measured, nearness, aim, foreign: true }
  return { ...measured, nearness, aim, fit: createAimMeter(words, vectors, wanted) }
}

/** Returns the function that gives how much the words of a sentence are about what was requested. */
function createWordScale(
  steering: Steering,
  idf: ReadonlyMap<string, number>,
): (stems: readonly string[]) => number {
  const telling = createTellingMeter(idf)
  return (stems) => {
    let sum = 0
    for (const stem of stems) {
      const weight = steering.terms.get(stem)
      if (weight !== undefined) sum += weight * telling(stem) * Math.sqrt(idf.get(stem) ?? 1)
    }
    return sum
  }
}

/** A topic reaches beyond the sentence that names it: neighbours share in it. */
function spreadTopics(values: readonly number[]): number[] {
  const at = (index: number): number => values[index] ?? 0
  return values.map(
    (value, index) => value + 0.35 * (at(index - 1) + at(index + 1)) + 0.15 * (at(index - 2) + at(index + 2)),
  )
}
