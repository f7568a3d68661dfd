/**
 * Learns what tells stories from the talk around them, from the tuned half of the written talks, and writes the weights
 * that the finder uses: `npm run train:stories`. Prints how well each talk is read by what was learned from the others.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { chooseModel } from '../../../models/installed.ts'
import { loadTextEmbedder } from '../../../workers/inference/text-embedder.ts'
import { patternsOf } from '../../../workers/stages/find-clips/pure/languages.ts'
import { factsOf } from '../../../workers/stages/find-clips/pure/sentence-facts.ts'
import { splitSentences, type Sentence } from '../../../workers/stages/find-clips/pure/sentences.ts'
import { storyInputsOf } from '../../../workers/stages/find-clips/pure/story-inputs.ts'
import type { SentenceOdds } from '../../../workers/stages/find-clips/pure/story-spans.ts'
import type { Weights } from '../../../workers/stages/find-clips/pure/story-weights.ts'
import { topicChanges } from '../../../workers/stages/find-clips/pure/topic-change.ts'
import { modelFolders } from '../media.ts'
import { learn, oddsOf, rounded, type Example } from './learn.ts'
import { learnSpans, type JudgedTalk } from './learn-spans.ts'
import { readTalk, type WrittenTalk } from './read-talk.ts'

const FOLDER = join(import.meta.dirname, 'tuned')
const TARGET = join(import.meta.dirname, '../../../workers/stages/find-clips/pure/story-weights.ts')
const QUESTIONS = ['begins', 'ends', 'belongs'] as const
type Question = (typeof QUESTIONS)[number]
/** Seconds by which times may differ. */
const NEAR = 0.05

/** A talk as it is read in one of two ways. */
interface Reading {
  readonly talk: WrittenTalk
  readonly sentences: readonly Sentence[]
  readonly words: readonly number[]
  readonly examples: Readonly<Record<Question, readonly Example[]>>
}

/** The sentences of a talk as examples, with what is installed everywhere and with reactions and meaning. */
async function readingsOf(file: string): Promise<Reading[]> {
  const talk = readTalk(readFileSync(join(FOLDER, file), 'utf8'))
  const sentences = splitSentences(talk.words, (talk.words.at(-1)?.end ?? 0) + 1)
  const vectors = await vectorsOf(sentences.map(({ text }) => text))
  const patterns = patternsOf(talk.language)
  const plain = factsOf(sentences, patterns, [])
  const rich = factsOf(sentences, patterns, talk.events)
  const readings = [
    storyInputsOf(sentences, plain, topicChanges(plain, null)),
    storyInputsOf(sentences, rich, topicChanges(rich, vectors)),
  ]
  const truths: Record<Question, (index: number) => boolean> = {
    begins: (index) =>
      talk.stories.some(({ openingStart }) => Math.abs((sentences[index]?.start ?? 0) - openingStart) < NEAR),
    ends: (index) =>
      talk.stories.some(({ payoffEnd, end }) => {
        const at = sentences[index]?.end ?? 0
        return at >= payoffEnd - NEAR && at <= Math.max(end, payoffEnd) + NEAR
      }),
    belongs: (index) =>
      talk.stories.some(
        ({ start, end }) =>
          (sentences[index]?.start ?? 0) >= start - NEAR && (sentences[index]?.end ?? 0) <= end + NEAR,
      ),
  }
  return readings.map((inputs) => {
    const of = (question: Question): Example[] =>
      sentences.map((_, index) => ({ inputs: inputs(index, question), truth: truths[question](index) }))
    const examples = { begins: of('begins'), ends: of('ends'), belongs: of('belongs') }
    return { talk, sentences, words: plain.map(({ words }) => words), examples }
  })
}

async function vectorsOf(texts: readonly string[]): Promise<Float32Array[] | null> {
  const model = await chooseModel(modelFolders(), 'text-embedding')
  if (model === null)
    throw new Error('The weights are trained with a model of meaning: install minilm-english.')
  const embedder = await loadTextEmbedder(model, {
    inference: 'cpu',
    warn: (message) => void console.log(message),
  })
  return embedder.embed(texts, new AbortController().signal)
}

/** How often a true one has higher odds than a false one. */
function areaUnderCurve(learned: Weights, examples: readonly Example[]): number {
  const ordered = examples
    .map((example) => ({ odds: oddsOf(learned, example), truth: example.truth }))
    .toSorted((a, b) => a.odds - b.odds)
  let below = 0
  let area = 0
  for (const { truth } of ordered) {
    if (truth) area += below
    else below += 1
  }
  return area / Math.max(1, below * (ordered.length - below))
}

/** How each sentence of a reading is judged by what was learned. */
function judge({ examples, words }: Reading, learned: Readonly<Record<Question, Weights>>): SentenceOdds {
  const of = (question: Question): Float64Array =>
    Float64Array.from(examples[question], (example) => oddsOf(learned[question], example))
  return { begins: of('begins'), ends: of('ends'), belongs: of('belongs'), words }
}

const learnAll = (readings: readonly Reading[]): Record<Question, Weights> => {
  const of = (question: Question): Weights => learn(readings.flatMap(({ examples }) => examples[question]))
  return { begins: of('begins'), ends: of('ends'), belongs: of('belongs') }
}

const files = readdirSync(FOLDER).sort()
const talks = new Map<string, Reading[]>()
for (const file of files) talks.set(file, await readingsOf(file))
const readingsBut = (file: string | null): Reading[] =>
  files.flatMap((other) => (other === file ? [] : (talks.get(other) ?? [])))
// Runs of sentences are learned from odds of talks that were not among those that taught them.
const judged: JudgedTalk[] = []
for (const file of files) {
  const learned = learnAll(readingsBut(file))
  const readings = talks.get(file) ?? []
  const areas = QUESTIONS.map((question) => {
    const examples = readings.flatMap((reading) => reading.examples[question])
    return `${question} ${areaUnderCurve(learned[question], examples).toFixed(3)}`
  })
  console.log(`${file}, learned from the others: ${areas.join(', ')}`)
  for (const reading of readings)
    judged.push({
      sentences: reading.sentences,
      stories: reading.talk.stories,
      odds: judge(reading, learned),
    })
}
const learned = Object.fromEntries(
  Object.entries(learnAll(readingsBut(null))).map(([question, weights]) => [question, rounded(weights)]),
)
const text = `/** PURE. Written by \`npm run train:stories\`; the inputs are those of story-inputs.ts, in their order. */

/** What is asked of a sentence: whether a story begins or ends with it, or it belongs to one. */
export type StoryQuestion = 'begins' | 'ends' | 'belongs'

export interface Weights {
  readonly bias: number
  readonly weights: readonly number[]
}

/** Of runs of sentences; the inputs are those of story-spans.ts, in their order. */
export const SPAN_WEIGHTS: Weights = ${JSON.stringify(rounded(learnSpans(judged)))}

export const STORY_WEIGHTS: Readonly<Record<StoryQuestion, Weights>> = ${JSON.stringify(learned)}
`
writeFileSync(TARGET, await format(text, { ...(await resolveConfig(TARGET)), parser: 'typescript' }))
console.log(`Written: ${TARGET}`)
