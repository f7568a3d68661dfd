import { describe, expect, it } from 'vitest'
import { describeLongStory, longStoriesIn } from './long-stories.ts'
import type { Sentence } from './sentences.ts'

/** Sentences of 5 s; a story from the 10th to the 29th, which is 100 s. */
const sentences = Array.from({ length: 45 }, (_, index): Sentence => {
  const place = { first: index, last: index, start: index * 5, end: index * 5 + 4.8 }
  return { ...place, text: '', before: 0.2, after: 0.2, speaker: null, edgeStart: true, edgeEnd: true }
})
const at = (value: (index: number) => number) => Float64Array.from(sentences, (_, index) => value(index))
const odds = {
  begins: at((index) => (index === 10 ? 4 : -4)),
  ends: at((index) => (index === 29 ? 4 : -4)),
  belongs: at((index) => (index >= 10 && index <= 29 ? 2 : -2)),
  words: sentences.map(() => 12),
}

describe('stories that are longer than a clip may be', () => {
  it('are found around a clip that lies in one, and not elsewhere', () => {
    const around = longStoriesIn(sentences, odds, 70)
    expect(around(15, 27)).toMatchObject({ from: 10, to: 29 })
    expect(around(15, 27)?.probability).toBeGreaterThan(0.5)
    expect(around(33, 44)?.probability ?? 0).toBeLessThan(0.2)
  })

  it('are not looked for where clips may hold them, or for limits that were not measured', () => {
    expect(longStoriesIn(sentences, odds, 120)(15, 27)?.probability ?? 0).toBeLessThan(0.5)
    for (const limit of [30, 600, Infinity]) expect(longStoriesIn(sentences, odds, limit)(15, 27)).toBeNull()
  })

  it('are described by their length and by what the clip has not', () => {
    const story = { start: 100, end: 251 }
    expect(describeLongStory(story, { start: 131, end: 251.2 }, 120)).toMatch(
      /^This story seems to run about 2:30, and clips may last 2:00: its opening is not in the clip\. /,
    )
    expect(describeLongStory(story, { start: 100.5, end: 215 }, 120)).toContain(
      ': its end is not in the clip',
    )
    expect(describeLongStory(story, { start: 120, end: 230 }, 120)).toContain(
      ': its opening and its end are not in the clip',
    )
    expect(describeLongStory(story, { start: 99.9, end: 251.2 }, 200)).toBeNull()
  })
})
