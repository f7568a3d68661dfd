/** Which spoken words name which pictures. */
import type { BrollCandidate } from '../../contract/clip-broll.ts'
import type { PlacedWord } from '../compose/placed-words.ts'
import { isTelling, plainWords, stemOf, stemsOf } from './words.ts'

/** Score of a spoken tag, plus one for each further word of it. */
const TAG = 3
/** A word of the picture's name alone. */
const NAME = 1
/** What the node's prompt asks for, and the clip's keywords. */
const PROMPTED = 2
const KEYWORD = 1

/** A picture, by its place among the candidates, and how well it fits. */
export interface Fit {
  readonly candidate: number
  readonly score: number
}

/** A stretch of words that names pictures; places in the list of words, both inclusive. */
export interface Mention {
  readonly first: number
  readonly last: number
  /** As spoken. */
  readonly text: string
  /** The best first. */
  readonly fits: readonly Fit[]
}

export interface Topics {
  readonly prompt: string
  readonly keywords: readonly string[]
}

interface Term {
  readonly candidate: number
  readonly stems: readonly string[]
  readonly weight: number
}

/** Every mention, in order of time. A word may begin several mentions, of different lengths. */
export function findMentions(
  words: readonly PlacedWord[],
  candidates: readonly BrollCandidate[],
  topics: Topics,
): Mention[] {
  const terms = Map.groupBy(candidates.flatMap(termsOf), (term) => term.stems[0] ?? '')
  const bonus = bonuses(candidates, topics)
  const spoken = words.flatMap((word, at) => stemsOf(word.text).map((stem) => ({ stem, at })))
  const found = new Map<string, { first: number; last: number; scores: Map<number, number> }>()
  spoken.forEach(({ stem, at: first }, from) => {
    for (const { candidate, stems, weight } of terms.get(stem) ?? []) {
      if (!stems.every((one, offset) => spoken[from + offset]?.stem === one)) continue
      const last = spoken[from + stems.length - 1]?.at ?? first
      const key = `${first}:${last}`
      const mention = found.get(key) ?? { first, last, scores: new Map<number, number>() }
      const score = weight + (bonus[candidate] ?? 0)
      mention.scores.set(candidate, Math.max(score, mention.scores.get(candidate) ?? 0))
      found.set(key, mention)
    }
  })
  return [...found.values()].map(({ first, last, scores }) => ({
    first,
    last,
    text: words
      .slice(first, last + 1)
      .map(({ text }) => text)
      .join(' '),
    fits: best(scores),
  }))
}

/** The pictures that the prompt itself names, the best first. */
export function promptedFits(candidates: readonly BrollCandidate[], prompt: string): Fit[] {
  const wanted = stemsOf(prompt)
  const scores = new Map<number, number>()
  for (const { candidate, stems, weight } of candidates.flatMap(termsOf)) {
    if (contains(wanted, stems)) scores.set(candidate, Math.max(weight, scores.get(candidate) ?? 0))
  }
  return best(scores)
}

function best(scores: ReadonlyMap<number, number>): Fit[] {
  return [...scores]
    .map(([candidate, score]) => ({ candidate, score }))
    .toSorted((a, b) => b.score - a.score || a.candidate - b.candidate)
}

/**
 * What a picture can be named by: its tags as they are, and in the library, where people call things what they are, the
 * telling words of its name.
 */
function termsOf(candidate: BrollCandidate, index: number): Term[] {
  const tags = candidate.tags.map(stemsOf).filter((stems) => stems.length > 0)
  const called = candidate.provider === 'library' ? plainWords(candidate.name) : []
  const names = called.filter(isTelling).map(stemOf)
  return [
    ...tags.map((stems) => ({ candidate: index, stems, weight: TAG + stems.length - 1 })),
    ...names.map((stem) => ({ candidate: index, stems: [stem], weight: NAME })),
  ]
}

function bonuses(candidates: readonly BrollCandidate[], topics: Topics): number[] {
  const prompt = stemsOf(topics.prompt)
  const keywords = topics.keywords.map(stemsOf)
  return candidates.map((candidate) => {
    const tags = candidate.tags.map(stemsOf).filter((stems) => stems.length > 0)
    const prompted = tags.some((stems) => contains(prompt, stems))
    const key = tags.some((stems) => keywords.some((keyword) => contains(keyword, stems)))
    return (prompted ? PROMPTED : 0) + (key ? KEYWORD : 0)
  })
}

function contains(text: readonly string[], stems: readonly string[]): boolean {
  return text.some((_, from) => stems.every((stem, offset) => text[from + offset] === stem))
}
