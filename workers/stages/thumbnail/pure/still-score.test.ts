import { expect, it } from 'vitest'
import { bestStill, sampleTimes, scoreStill, type GreyPicture } from './still-score.ts'

const draw = (shade: (x: number, y: number) => number): GreyPicture => {
  const [width, height] = [64, 48]
  const pixels = Uint8Array.from({ length: width * height }, (_, at) =>
    shade(at % width, Math.floor(at / width)),
  )
  return { width, height, pixels }
}
const crisp = draw((x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? 90 : 160))
const soft = draw((x) => 125 + 35 * Math.sin(x / 4))
const dark = draw((x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? 2 : 14))
const black = draw(() => 0)
const white = draw(() => 255)

it('prefers the crisp picture to the soft, the dark and the empty ones', () => {
  expect(bestStill([black, soft, null, crisp, dark, white])).toBe(3)
  expect(bestStill([black, soft, dark])).toBe(1)
  expect(bestStill([null, null])).toBeNull()
})

it('measures what it says', () => {
  expect(scoreStill(white)).toMatchObject({ sharpness: 0, brightness: 255, clipped: 1, score: 0 })
  expect(scoreStill(crisp).brightness).toBeCloseTo(125, 0)
  expect(scoreStill(crisp).sharpness).toBeGreaterThan(scoreStill(soft).sharpness * 20)
})

it('looks away from the edges', () => {
  expect(sampleTimes(10, 20, 5)).toEqual([11, 13, 15, 17, 19])
})
