import { describe, expect, it } from 'vitest'
import { judgeCut } from './judge-cuts.ts'
import type { PlantedStory } from './read-talk.ts'

const part = (start: number, end: number, need: 'opening' | 'needed' | 'spare', isQuestion = false) => ({
  start,
  end,
  need,
  isQuestion,
})
const story: PlantedStory = {
  id: 's1',
  shape: 'a',
  start: 0,
  end: 80,
  openingStart: 0,
  payoffEnd: 80,
  opening: '',
  payoff: '',
  prompts: [],
  topic: '',
  interruptions: [],
  parts: [
    part(0, 10, 'opening'),
    part(10, 30, 'spare'),
    part(30, 40, 'needed'),
    part(40, 45, 'spare', true),
    part(45, 60, 'spare'),
    part(60, 80, 'needed'),
  ],
}
const judge = (...cuts: [number, number][]) =>
  judgeCut(
    story,
    cuts.map(([start, end]) => ({ start, end })),
  )

describe('what is left out of a story', () => {
  it('is right where it was to spare, whole or from within on', () => {
    expect(judge([10, 30])).toBe('right')
    expect(judge([20, 30.2])).toBe('right')
    expect(judge([10, 30], [40, 60])).toBe('right')
    expect(judge([50, 60])).toBe('right')
  })

  it('tears an aside whose beginning alone is lost, and a question from its answer', () => {
    expect(judge([10, 20])).toBe('torn')
    expect(judge([45, 60])).toBe('torn')
  })

  it('harms where the opening or the pay-off needs it', () => {
    expect(judge([10, 31])).toBe('harmed')
    expect(judge([5, 30])).toBe('harmed')
  })
})
