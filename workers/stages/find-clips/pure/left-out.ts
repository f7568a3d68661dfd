/** PURE. What clips leave out inside: sentences between two that belong together. */
import type { Stretch } from '../../../../server/contract/time.ts'
import type { Interruption } from './interruptions.ts'
import { endAfter, startBefore, type Sentence } from './sentences.ts'

export interface Gaps {
  readonly isLeftOut: (index: number) => boolean
  /** Indexes of the sentences that stay, in order, and the same sentences with the times that they have without the others. */
  readonly kept: readonly number[]
  readonly moved: readonly Sentence[]
  /** Of each sentence the place among those that stay; of one that does not, the place of the one before it. */
  readonly places: Int32Array
  /** What a clip from one sentence to another leaves out, in source seconds; both stay. */
  readonly between: (from: number, to: number) => Stretch[]
  /** Seconds of that; asked for every pair of sentences that may be a clip. */
  readonly secondsBetween: (from: number, to: number) => number
}

/** `parts`: in order, apart from each other; none is the first or the last sentence. */
export function leaveOut(sentences: readonly Sentence[], parts: readonly Interruption[]): Gaps {
  const holes = parts.flatMap(({ from, to }) => {
    const before = sentences[from - 1]
    const after = sentences[to + 1]
    if (before === undefined || after === undefined) return []
    return [{ from, to, start: endAfter(before), end: startBefore(after) }]
  })
  const isLeftOut = (index: number): boolean => holes.some(({ from, to }) => index >= from && index <= to)
  const kept: number[] = []
  const moved: Sentence[] = []
  const places = new Int32Array(sentences.length)
  /** Seconds that are left out before each sentence. */
  const shifts = new Float64Array(sentences.length)
  let shift = 0
  sentences.forEach((sentence, index) => {
    shifts[index] = shift
    if (isLeftOut(index)) {
      places[index] = Math.max(0, kept.length - 1)
      return
    }
    const hole = holes.find(({ to }) => to === index - 1)
    if (hole !== undefined) shift += hole.end - hole.start
    shifts[index] = shift
    places[index] = kept.length
    kept.push(index)
    moved.push(
      shift === 0 ? sentence : { ...sentence, start: sentence.start - shift, end: sentence.end - shift },
    )
  })
  const between = (first: number, last: number): Stretch[] =>
    holes.filter(({ from, to }) => from > first && to < last).map(({ start, end }) => ({ start, end }))
  return {
    isLeftOut,
    kept,
    moved,
    places,
    between,
    secondsBetween: (from, to) => (shifts[to] ?? 0) - (shifts[from] ?? 0),
  }
}
