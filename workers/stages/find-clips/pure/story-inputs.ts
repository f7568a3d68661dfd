/**
 * PURE. Sentences as numbers for the three questions of stories: does one begin here, does one end here, does this belong
 * to one. Each sentence is seen with those around it.
 */
import { prefixSums } from './numbers.ts'
import type { SentenceFacts } from './sentence-facts.ts'
import type { Sentence } from './sentences.ts'
import type { StoryQuestion } from './story-weights.ts'

/** Occurrences that count in a sentence; more of them say nothing more. */
const MOST = 3
const NAMES = [
  'question',
  'leaning',
  'opening',
  'saying',
  'past',
  'first',
  'second',
  'negation',
  'contrast',
  'reason',
  'strong',
  'feeling',
  'family',
  'announcement',
  'point',
  'number',
  'name',
  'housekeeping',
  'reaction',
  'filler',
  'unfinished',
  'changes',
] as const
/** Sentences around one whose own numbers count, and longer stretches of which the density counts. */
const BESIDE = [-2, -1, 0, 1, 2]
type Stretches = readonly (readonly [number, number])[]
const STRETCHES: Readonly<Record<StoryQuestion, Stretches>> = {
  begins: [
    [0, 8],
    [-8, 0],
  ],
  ends: [
    [-8, 1],
    [1, 9],
  ],
  belongs: [
    [-1, 2],
    [-4, 5],
    [-10, 11],
  ],
}
/** The density of fewer words is not measured, and is given for so many. */
const FEWEST_WORDS = 20
const DENSITY_WORDS = 15

export type StoryInputs = (index: number, question: StoryQuestion) => number[]

/** The function that gives the inputs of a question about a sentence. `change`: of the topic before each sentence, 0 to 1. */
export function storyInputsOf(
  sentences: readonly Sentence[],
  facts: readonly SentenceFacts[],
  change: readonly number[],
): StoryInputs {
  const turns = turnsOf(facts)
  const rows = facts.map((one, index) => [
    ...NAMES.map((name) => Math.min(MOST, Number(one[name]))),
    Math.min(1, one.reacted / 1.5),
    change[index] ?? 0,
    Math.log1p(one.words) / 3,
    Math.min(1.5, sentences[index]?.before ?? 0) / 1.5,
    Math.min(3, sentences[index]?.after ?? 0) / 1.5,
    Math.log1p(turns[index]?.at ?? 0) / 5,
    Math.log1p(turns[index]?.words ?? 0) / 5,
  ])
  const nothing = (rows[0] ?? []).map(() => 0)
  const sums = nothing.map((_, place) => prefixSums(rows.map((row) => row[place] ?? 0)))
  const words = prefixSums(facts.map((one) => one.words))
  const density = (from: number, to: number): number[] => {
    const a = Math.min(rows.length, Math.max(0, from))
    const b = Math.min(rows.length, Math.max(0, to))
    const spoken = Math.max(FEWEST_WORDS, (words[b] ?? 0) - (words[a] ?? 0))
    return sums.map((sum) => (((sum[b] ?? 0) - (sum[a] ?? 0)) / spoken) * DENSITY_WORDS)
  }
  return (index, question) => [
    ...(question === 'belongs' ? [] : BESIDE.flatMap((by) => rows[index + by] ?? nothing)),
    ...STRETCHES[question].flatMap((stretch) => density(index + stretch[0], index + stretch[1])),
  ]
}

/** For each sentence: the words before it in its turn, and those of the whole turn. */
function turnsOf(facts: readonly SentenceFacts[]): { at: number; words: number }[] {
  const sums: number[] = []
  const places = facts.map((one) => {
    if (one.changes || sums.length === 0) sums.push(0)
    const turn = sums.length - 1
    const at = sums[turn] ?? 0
    sums[turn] = at + one.words
    return { at, turn }
  })
  return places.map(({ at, turn }) => ({ at, words: sums[turn] ?? 0 }))
}
