import { describe, expect, it } from 'vitest'
import type { Sentence } from './sentences.ts'
import { listSpans, probabilitiesOf, storyOddsOf, type Spans } from './story-spans.ts'

const spansOf = (...places: (readonly [number, number])[]): Spans => ({
  from: places.map(([from]) => from),
  to: places.map(([, to]) => to),
  inputs: places.map(() => []),
})

describe('the probabilities of runs of sentences', () => {
  it('are those of every way to set stories that do not overlap', () => {
    // None, the first, the second, both; the third run overlaps the others and stands alone.
    const spans = spansOf([0, 1], [0, 3], [2, 3])
    const odds = [2, 3, 5]
    const found = probabilitiesOf(spans, odds.map(Math.log), 4)
    const all = 1 + 2 + 5 + 2 * 5 + 3
    ;[2 + 10, 3, 5 + 10].forEach((way, index) => expect(found[index]).toBeCloseTo(way / all, 9))
  })

  it('stay finite where the odds are large or there are no runs', () => {
    expect(probabilitiesOf(spansOf([0, 0], [1, 1]), [900, -900], 2)).toEqual(Float64Array.of(1, 0))
    expect(probabilitiesOf(spansOf(), [], 3)).toHaveLength(0)
  })

  it('say what a clip holds, and where a story would be cut', () => {
    const odds = storyOddsOf(spansOf([0, 1], [0, 2], [0, 3], [2, 3]), Float64Array.of(0.5, 0, 0.25, 0.125), 5)
    expect([odds.holds(0, 4), odds.holds(0, 2), odds.holds(1, 4), odds.holds(3, 4)]).toEqual([
      0.875, 0.5, 0.125, 0,
    ])
    expect([...odds.goesOn]).toEqual([0.75, 0.25, 0.375, 0, 0])
    expect([...odds.begins]).toEqual([0.75, 0, 0.125, 0, 0])
    expect([...odds.ends]).toEqual([0, 0.5, 0, 0.375, 0])
  })
})

describe('the runs that may be stories', () => {
  const sentences = Array.from({ length: 30 }, (_, index) => ({ start: index * 6, end: index * 6 + 5 }))
  const flat = new Float64Array(30)

  it('last 10 to 140 s and begin with each sentence in turn', () => {
    const words = sentences.map(() => 12)
    const spans = listSpans(sentences as Sentence[], { begins: flat, ends: flat, belongs: flat, words }, 90)
    const lengths = spans.from.map((from, at) => ((spans.to[at] ?? 0) - from) * 6 + 5)
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([11, 137])
    expect(spans.from).toEqual(spans.from.toSorted((a, b) => a - b))
  })

  it('are measured by their edges, what goes on inside and around them, and their length', () => {
    const belongs = Float64Array.from(sentences, (_, index) => (index >= 10 && index < 15 ? 9 : -1))
    const begins = Float64Array.from(sentences, (_, index) => (index === 10 ? 7 : 0))
    const words = sentences.map(() => 10)
    const spans = listSpans(sentences as Sentence[], { begins, ends: flat, belongs, words }, 90)
    const at = spans.from.findIndex((from, index) => from === 10 && spans.to[index] === 14)
    const length = Math.log(29 / 50)
    expect(spans.inputs[at]).toEqual([4, 0, 1.5, 3, length, length * length, -1, -1])
  })
})
