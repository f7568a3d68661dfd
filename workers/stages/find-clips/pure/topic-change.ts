/**
 * PURE. How much the topic changes before each sentence: the likeness of the sentences before and after it, by their words
 * (TextTiling, Hearst 1997) and, where a model of meaning is installed, by their vectors.
 */
import type { SentenceFacts } from './sentence-facts.ts'

/** Sentences on each side. */
const BLOCK = 6
/** Words of a sentence that count at most. */
const MOST_WORDS = 12

/** 0 to 1, as the place among all changes of this transcript. `vectors`: one a sentence, or null. */
export function topicChanges(
  facts: readonly SentenceFacts[],
  vectors: readonly Float32Array[] | null,
): number[] {
  const byWords = rank(facts.map((_, index) => changeOfWords(facts, index)))
  if (vectors === null) return byWords
  const byMeaning = rank(facts.map((_, index) => changeOfMeaning(facts, vectors, index)))
  return byMeaning.map((value, index) => (value + (byWords[index] ?? 0)) / 2)
}

function changeOfWords(facts: readonly SentenceFacts[], index: number): number {
  const count = (from: number, to: number): Map<string, number> => {
    const times = new Map<string, number>()
    for (const { terms } of facts.slice(Math.max(0, from), to))
      for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1)
    return times
  }
  const before = count(index - BLOCK, index)
  const after = count(index, index + BLOCK)
  const length = (block: ReadonlyMap<string, number>): number =>
    Math.sqrt([...block.values()].reduce((sum, times) => sum + times * times, 0))
  const shared = [...before].reduce((sum, [term, times]) => sum + times * (after.get(term) ?? 0), 0)
  return 1 - shared / Math.max(1e-9, length(before) * length(after))
}

function changeOfMeaning(
  facts: readonly SentenceFacts[],
  vectors: readonly Float32Array[],
  index: number,
): number {
  const sum = (from: number, to: number): Float64Array => {
    const total = new Float64Array(vectors[0]?.length ?? 0)
    for (let at = Math.max(0, from); at < Math.min(facts.length, to); at += 1) {
      const weight = Math.min(MOST_WORDS, facts[at]?.words ?? 0)
      vectors[at]?.forEach((value, place) => (total[place] = (total[place] ?? 0) + value * weight))
    }
    return total
  }
  const dot = (a: Float64Array, b: Float64Array): number =>
    a.reduce((total, value, place) => total + value * (b[place] ?? 0), 0)
  const before = sum(index - BLOCK, index)
  const after = sum(index, index + BLOCK)
  return 1 - dot(before, after) / Math.sqrt(Math.max(1e-9, dot(before, before) * dot(after, after)))
}

function rank(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).toSorted((a, b) => a.value - b.value)
  const ranks = new Array<number>(values.length).fill(0)
  order.forEach(({ index }, place) => (ranks[index] = place / Math.max(1, values.length - 1)))
  return ranks
}
