/**
 * Learns what tells interruptions of stories from talk that goes on, from the tuned halves of the written talks, and writes the
 * weights that the finder uses: `npm run train:interruptions`. Prints what is found in each talk by what was learned from the
 * others.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import {
  chooseLikely,
  interruptionInputs,
  listPlaces,
  type Interruption,
} from '../../../workers/stages/find-clips/pure/interruptions.ts'
import { patternsOf } from '../../../workers/stages/find-clips/pure/languages.ts'
import { factsOf } from '../../../workers/stages/find-clips/pure/sentence-facts.ts'
import { weigh } from '../../../workers/stages/find-clips/pure/numbers.ts'
import { splitSentences } from '../../../workers/stages/find-clips/pure/sentences.ts'
import { belongsOf } from '../../../workers/stages/find-clips/pure/stories.ts'
import type { Weights } from '../../../workers/stages/find-clips/pure/story-weights.ts'
import { learn, type Example } from './learn.ts'
import { readTalk, type Span } from './read-talk.ts'

const FOLDERS = ['tuned', 'interrupted/tuned'].map((name) => join(import.meta.dirname, name))
const TARGET = join(import.meta.dirname, '../../../workers/stages/find-clips/pure/interruption-weights.ts')
/** Seconds by which each edge of an example may be off. */
const NEAR = 6
/** About six places are near each interruption, and there are thousands that are not. */
const TRUE_WEIGHT = 1 / 6
const FALSE_WEIGHT = 1 / 60
const RIDGE = 0.0006

interface Place extends Interruption, Example {
  /** Whether it is mostly an interruption, or lies in a story without being one. */
  readonly touches: boolean
  readonly harms: boolean
}

function placesOf(path: string): Place[] {
  const talk = readTalk(readFileSync(path, 'utf8'))
  const sentences = splitSentences(talk.words, (talk.words.at(-1)?.end ?? 0) + 1)
  const patterns = patternsOf(talk.language)
  const facts = factsOf(sentences, patterns, talk.events)
  const inputs = interruptionInputs({ sentences, facts, patterns, belongs: belongsOf(sentences, facts) })
  const known = talk.stories.flatMap(({ interruptions }) => interruptions)
  return listPlaces(sentences).map((place) => {
    const span = { start: sentences[place.from]?.start ?? 0, end: sentences[place.to]?.end ?? 0 }
    const truth = known.some(
      (one) => Math.abs(one.start - span.start) < NEAR && Math.abs(one.end - span.end) < NEAR,
    )
    const touches = known.some((one) => overlap(one, span) > 0.3 * (span.end - span.start))
    const harms =
      !touches &&
      talk.stories.some(({ openingStart, payoffEnd }) => span.start > openingStart && span.end < payoffEnd)
    return {
      ...place,
      inputs: inputs(place),
      truth,
      weight: truth ? TRUE_WEIGHT : FALSE_WEIGHT,
      touches,
      harms,
    }
  })
}

const overlap = (a: Span, b: Span): number => Math.min(a.end, b.end) - Math.max(a.start, b.start)

const talks = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .sort()
    .map((file) => placesOf(join(folder, file))),
)
const learnFrom = (examples: readonly Place[]): Weights => learn(examples, { ridge: RIDGE, balanced: false })
const learnedFromOthers = talks.map((talk) => learnFrom(talks.filter((other) => other !== talk).flat()))
for (const least of [0.5, 1, 1.5, 2, 2.5]) {
  const found = talks.flatMap((talk, at) =>
    chooseLikely(
      talk,
      ({ inputs }) => weigh(learnedFromOthers[at] ?? { bias: 0, weights: [] }, inputs),
      least,
    ),
  )
  const count = (is: (place: Place) => boolean): number => found.filter(is).length
  console.log(
    `odds of e^${least}: ${count(({ truth }) => truth)} found, ${count(({ truth, touches }) => touches && !truth)} with other edges, ${count(({ harms }) => harms)} in stories that go on, ${count(({ truth, touches, harms }) => !truth && !touches && !harms)} elsewhere`,
  )
}
const { bias, weights } = learnFrom(talks.flat())
const to4 = (value: number): number => Number(value.toFixed(4))
const text = `/** PURE. Written by \`npm run train:interruptions\`; the inputs are those of interruptions.ts, in their order. */
import type { Weights } from './story-weights.ts'

export const INTERRUPTION_WEIGHTS: Weights = ${JSON.stringify({ bias: to4(bias), weights: weights.map(to4) })}
`
writeFileSync(TARGET, await format(text, { ...(await resolveConfig(TARGET)), parser: 'typescript' }))
console.log(`Written: ${TARGET}`)
