import { describe, expect, it } from 'vitest'
import { fitLine, verdictOf } from './line.ts'
import { longestRow } from './load.ts'

describe('a fitted line', () => {
  it('has the slope of its points, and no error when they are on the line', () => {
    const line = fitLine([0, 1, 2, 3].map((x) => ({ x, y: 100 + 7 * x })))
    expect(line.slope).toBeCloseTo(7)
    expect(line.error).toBeCloseTo(0)
    expect(line.mean).toBeCloseTo(110.5)
    expect(verdictOf(line)).toBe('GROWS')
  })

  it('is flat when it varies around a level, or grows too little to matter within a shift', () => {
    const wavers = Array.from({ length: 60 }, (_, x) => ({ x: x / 10, y: 100 + (x % 2 === 0 ? 5 : -5) }))
    expect(verdictOf(fitLine(wavers))).toBe('flat')
    expect(verdictOf(fitLine([0, 1, 2].map((x) => ({ x, y: 100 + x / 10 }))))).toBe('flat')
    expect(verdictOf(fitLine([0, 1, 2].map((x) => ({ x, y: 100 - x }))))).toBe('flat')
  })

  it('is not flat when it varies so much that growth would be hidden', () => {
    const wavers = Array.from({ length: 60 }, (_, x) => ({ x: x / 600, y: 100 + (x % 2 === 0 ? 5 : -5) }))
    expect(verdictOf(fitLine(wavers))).toBe('too short to tell')
  })

  it('is unknown for two points', () => {
    const two = [0, 1].map((x) => ({ x, y: 1 }))
    expect(verdictOf(fitLine(two))).toBe('too short to tell')
  })

  it('neither hides a slope behind a step between kinds nor takes the step for a slope', () => {
    const points = (slope: number) =>
      Array.from({ length: 12 }, (_, x) => {
        const before = x < 6
        return { x, y: 500 + slope * x - (before ? 0 : 40), kind: before ? 30 : 29 }
      })
    const rising = fitLine(points(4))
    expect(rising.slope).toBeCloseTo(4)
    expect(verdictOf(rising)).toBe('GROWS')
    expect(verdictOf(fitLine(points(4).map(({ x, y }) => ({ x, y }))))).toBe('flat')
    expect(verdictOf(fitLine(points(0)))).toBe('flat')
  })

  it('is unknown when each point is of another kind', () => {
    const points = [0, 1, 2, 3].map((x) => ({ x, y: 100 * x, kind: x }))
    expect(verdictOf(fitLine(points))).toBe('too short to tell')
  })
})

describe('turns', () => {
  it('count as consecutive only while the other company waits', () => {
    expect(longestRow(['a', 'b', 'a', 'b', 'b', 'b'])).toBe(1)
    expect(longestRow(['a', 'a', 'a', 'b', 'b', 'b'])).toBe(3)
    expect(longestRow([])).toBe(0)
  })
})
