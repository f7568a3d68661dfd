import { expect, it } from 'vitest'
import { createAimMeter } from './aims.ts'

const EAST = Float32Array.of(1, 0)
const NORTH = Float32Array.of(0, 1)

it('is half the cosine of the mean, in which a longer sentence counts more, up to a limit', () => {
  const near = createAimMeter([3, 4, 100, 1], [EAST, NORTH, EAST, NORTH], [{ weight: 1, vector: EAST }])
  expect(near(0, 0)).toBeCloseTo(1)
  expect(near(1, 1)).toBeCloseTo(0)
  expect(near(0, 1)).toBeCloseTo((3 / 5 + 1 / 2) / 2)
  expect(near(0, 2)).toBeCloseTo((28 / Math.hypot(28, 4) + 2 / 3) / 2)
})

it('is half the mean of the three sentences that come nearest', () => {
  const near = createAimMeter(
    [1, 1, 1, 1, 1],
    [NORTH, NORTH, EAST, EAST, EAST],
    [{ weight: 1, vector: EAST }],
  )
  expect(near(0, 4)).toBeCloseTo((3 / Math.hypot(3, 2) + 1) / 2)
})

it('weighs several aims, and what is to be avoided against', () => {
  const aims = [
    { weight: 1, vector: EAST },
    { weight: -3, vector: NORTH },
  ]
  const near = createAimMeter([5, 5], [EAST, NORTH], aims)
  expect([near(0, 0), near(1, 1)]).toEqual([0.25, -0.75])
})

it('is nothing without aims, vectors or words', () => {
  expect(createAimMeter([1], [EAST], [])(0, 0)).toBe(0)
  expect(createAimMeter([], [], [{ weight: 1, vector: EAST }])(0, 0)).toBe(0)
  expect(createAimMeter([0], [NORTH], [{ weight: 1, vector: EAST }])(0, 0)).toBe(0)
})
