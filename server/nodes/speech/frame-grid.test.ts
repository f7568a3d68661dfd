import { expect, it } from 'vitest'
import { frameGrid } from './frame-grid.ts'

it.each([
  ['on a frame', 2, 50, 50, 50],
  ['a little after it', 2.01, 51, 50, 50],
  ['a little before it', 1.99, 50, 50, 49],
  ['a hair off it', 2 + 2e-8, 50, 50, 50],
  ['a hair before it', 2 - 2e-8, 50, 50, 50],
  ['a millionth of a second off it', 2 + 1e-6, 51, 50, 50],
  ['a millionth of a second before it', 2 - 1e-6, 50, 50, 49],
])('25 frames a second: %s', (_, seconds, after, nearest, before) => {
  const grid = frameGrid({ numerator: 25, denominator: 1 })
  expect([grid.after(seconds), grid.nearest(seconds), grid.before(seconds)]).toEqual([after, nearest, before])
})

it('counts frames of 1001/30000 s without drifting', () => {
  const grid = frameGrid({ numerator: 30000, denominator: 1001 })
  expect(grid.frameSeconds).toBeCloseTo(0.033366667, 9)
  expect(grid.timeOf(30000)).toBe(1001)
  expect([grid.after(1001), grid.nearest(1001), grid.before(1001)]).toEqual([30000, 30000, 30000])
})
