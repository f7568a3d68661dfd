import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ridge, type RidgeRow } from './train.ts'

const value = fc.double({ min: -3, max: 3, noNaN: true })
const rowsOf = (size: number) =>
  fc.array(
    fc.record({
      x: fc.array(value, { minLength: size, maxLength: size }),
      y: value,
      weight: fc.double({ min: 0.1, max: 2, noNaN: true }),
    }),
    { minLength: 1, maxLength: 30 },
  )

const lossOf = (rows: readonly RidgeRow[], pull: number, b: readonly number[]): number =>
  rows.reduce((sum, { x, y, weight }) => {
    const error = y - x.reduce((total, one, index) => total + one * (b[index] ?? 0), 0)
    return sum + weight * error * error
  }, 0) +
  pull * b.reduce((sum, one) => sum + one * one, 0)

describe('ridge regression', () => {
  it('finds what makes the sum smallest: no step in any direction is better', () => {
    fc.assert(
      fc.property(rowsOf(4), fc.constantFrom(0.5, 3, 30), (rows, pull) => {
        const best = ridge(rows, pull)
        const least = lossOf(rows, pull, best)
        for (let at = 0; at < 4; at += 1)
          for (const step of [-0.01, 0.01]) {
            const beside = best.map((one, index) => (index === at ? one + step : one))
            expect(lossOf(rows, pull, beside)).toBeGreaterThanOrEqual(least - 1e-9)
          }
      }),
      { numRuns: 60 },
    )
  })

  it('gives back what made the rows when there are enough of them and hardly a pull', () => {
    const truth = [1.5, -2, 0.25]
    const rows = Array.from({ length: 60 }, (_, index) => {
      const x = [Math.sin(index), Math.cos(index * 1.7), Math.sin(index * 0.3 + 1)]
      return { x, y: x.reduce((sum, one, at) => sum + one * (truth[at] ?? 0), 0), weight: 1 }
    })
    ridge(rows, 1e-6).forEach((one, at) => expect(one).toBeCloseTo(truth[at] ?? 0, 4))
  })

  it('goes to nothing as the pull grows, and stays finite with twins and constants', () => {
    fc.assert(
      fc.property(rowsOf(2), (rows) => {
        const twins = rows.map(({ x, ...rest }) => ({ ...rest, x: [...x, ...x, 0, 1] }))
        for (const one of ridge(twins, 3)) expect(Number.isFinite(one)).toBe(true)
        for (const one of ridge(twins, 1e9)) expect(Math.abs(one)).toBeLessThan(1e-5)
      }),
      { numRuns: 60 },
    )
    expect(ridge([], 3)).toEqual([])
  })
})
