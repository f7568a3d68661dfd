import { describe, expect, it } from 'vitest'
import { fitLine, isFlat } from './line.ts'
import { longestRow } from './load.ts'

describe('a fitted line', () => {
  it('has the slope of its points, and no error where they lie on it', () => {
    const line = fitLine([0, 1, 2, 3].map((x) => ({ x, y: 100 + 7 * x })))
    expect(line.slope).toBeCloseTo(7)
    expect(line.error).toBeCloseTo(0)
    expect(line.mean).toBeCloseTo(110.5)
    expect(isFlat(line)).toBe(false)
  })

  it('is flat when it wavers about a level, or grows so little that a shift does not notice', () => {
    const wavers = [5, -5, 5, -5, 5, -5].map((off, x) => ({ x, y: 100 + off }))
    expect(isFlat(fitLine(wavers))).toBe(true)
    expect(isFlat(fitLine([0, 1, 2].map((x) => ({ x, y: 100 + x / 10 }))))).toBe(true)
  })

  it('knows nothing of two points', () => {
    expect(
      isFlat(
        fitLine([
          { x: 0, y: 1 },
          { x: 1, y: 1 },
        ]),
      ),
    ).toBe(false)
  })
})

describe('turns', () => {
  it('count in a row only while the other one waits', () => {
    expect(longestRow(['a', 'b', 'a', 'b', 'b', 'b'])).toBe(1)
    expect(longestRow(['a', 'a', 'a', 'b', 'b', 'b'])).toBe(3)
    expect(longestRow([])).toBe(0)
  })
})
