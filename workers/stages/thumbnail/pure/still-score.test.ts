import { expect, it } from 'vitest'
import { rankStills, scoreStill, type GreyPicture } from '../stage.ts'

const draw = (shade: (x: number, y: number) => number): GreyPicture => {
  const width = 64
  const height = 48
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
  const even = [1, 1, 1, 1, 1, 1]
  expect(rankStills(even, [black, soft, null, crisp, dark, white]).slice(0, 2)).toEqual([3, 1])
  expect(rankStills(even.slice(3), [black, soft, dark])[0]).toBe(1)
  expect(rankStills([1, 1], [null, null])).toEqual([])
})

it('measures what it says', () => {
  expect(scoreStill(white)).toMatchObject({ sharpness: 0, brightness: 255, clipped: 1, score: 0 })
  expect(scoreStill(crisp).brightness).toBeCloseTo(125, 0)
  expect(scoreStill(crisp).sharpness).toBeGreaterThan(scoreStill(soft).sharpness * 20)
})

it('takes what shows a face before what is as sharp, and the earliest of equals', () => {
  expect(rankStills([1, 1.6, 1.2], [crisp, crisp, crisp])).toEqual([1, 2, 0])
  expect(rankStills([1, 1], [crisp, crisp])).toEqual([0, 1])
  // A face in the dark is no good.
  expect(rankStills([1, 2], [crisp, dark])).toEqual([0, 1])
  // Nothing can be seen of a source without picture.
  expect(rankStills([1, 1.4, 1.1], null)).toEqual([1, 2, 0])
})
