/** Difference between detected and true words: word error, and how far the starts of the right words are off. */
import { quantile } from './spread.ts'

export interface TimedText {
  readonly word: string
  /** Seconds. */
  readonly start: number
  readonly end: number
}

export interface WordScores {
  /** Substituted, missing and added words over the true words. */
  readonly wordError: number
  readonly substituted: number
  readonly missed: number
  readonly added: number
  /** How far the starts of correctly detected words are off, seconds, without sign. */
  readonly startMedian: number
  readonly startLate: number
  readonly endMedian: number
  readonly endLate: number
}

/** Lower case without punctuation. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '')
}

/** The fewest changes that make `heard` of `said`. Words without a letter or a digit do not count. */
export function scoreWords(said: readonly TimedText[], heard: readonly TimedText[]): WordScores {
  const [truth, found] = [said, heard].map((words) => words.filter(({ word }) => plain(word) !== '')) as [
    TimedText[],
    TimedText[],
  ]
  const steps = alignTexts(truth.map(text), found.map(text))
  const pairs = steps.flatMap(([at, place]) => {
    const real = at === null ? undefined : truth[at]
    const taken = place === null ? undefined : found[place]
    return real !== undefined && taken !== undefined ? [{ real, taken }] : []
  })
  const right = pairs.filter(({ real, taken }) => text(real) === text(taken))
  const starts = right.map(({ real, taken }) => Math.abs(real.start - taken.start))
  const ends = right.map(({ real, taken }) => Math.abs(real.end - taken.end))
  const missed = truth.length - pairs.length
  const added = found.length - pairs.length
  const substituted = pairs.length - right.length
  return {
    wordError: (missed + added + substituted) / Math.max(1, truth.length),
    substituted,
    missed,
    added,
    startMedian: quantile(starts, 0.5),
    startLate: quantile(starts, 0.95),
    endMedian: quantile(ends, 0.5),
    endLate: quantile(ends, 0.95),
  }
}

const text = ({ word }: TimedText): string => plain(word)

type Step = readonly [number | null, number | null]

/** The word of the other list for each word of the one, in order; null: none. */
function alignTexts(said: readonly string[], heard: readonly string[]): Step[] {
  const width = heard.length + 1
  const costs = new Uint32Array((said.length + 1) * width)
  const cost = (a: number, b: number): number => costs[a * width + b] ?? 0
  const change = (a: number, b: number): number => (said[a - 1] === heard[b - 1] ? 0 : 1)
  for (let a = 0; a <= said.length; a++)
    for (let b = 0; b <= heard.length; b++)
      costs[a * width + b] =
        a === 0 || b === 0
          ? a + b
          : Math.min(cost(a - 1, b) + 1, cost(a, b - 1) + 1, cost(a - 1, b - 1) + change(a, b))
  const steps: Step[] = []
  let a = said.length
  let b = heard.length
  while (a > 0 || b > 0) {
    if (a > 0 && b > 0 && cost(a, b) === cost(a - 1, b - 1) + change(a, b)) steps.push([--a, --b])
    else if (a > 0 && cost(a, b) === cost(a - 1, b) + 1) steps.push([--a, null])
    else steps.push([null, --b])
  }
  return steps.reverse()
}
