import { expect, it } from 'vitest'
import { randomNumbers } from '../../../test/support/small-pictures.ts'
import { boxMean } from './pixels.ts'

/** The mean over all pixels that are at most `reach` away in both directions. */
function meanAround(values: Float32Array, width: number, at: number, reach: number): number {
  const near = values.filter(
    (_, other) =>
      Math.abs((other % width) - (at % width)) <= reach &&
      Math.abs(Math.floor(other / width) - Math.floor(at / width)) <= reach,
  )
  return near.reduce((sum, value) => sum + value, 0) / near.length
}

it.each([
  [1, 1, 0],
  [1, 1, 3],
  [6, 1, 2],
  [1, 5, 1],
  [5, 4, 0],
  [7, 5, 1],
  [5, 7, 2],
  [6, 4, 3],
  [6, 4, 5],
  [4, 3, 9],
])('takes the mean of what is near: %d x %d pixels, %d to each side', (width, height, reach) => {
  const random = randomNumbers(width * 100 + height * 10 + reach)
  const values = Float32Array.from({ length: width * height }, random)
  const means = boxMean(values, width, height, reach)
  expect(means).toHaveLength(width * height)
  means.forEach((mean, at) => expect(mean).toBeCloseTo(meanAround(values, width, at, reach), 5))
})
