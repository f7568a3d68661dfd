import { describe, expect, it } from 'vitest'
import { colourOf, drawPicture, randomNumbers, solveLinear } from '../../../test/support/small-pictures.ts'
import { followColours, matteOf, type Follows } from './matte.ts'
import type { Pixels } from './pixels.ts'

const REACH = 3
const FLAT = 6e-4

/** Numbers of the pixels that are at most three away in both directions. */
const near = ({ width, height }: Pixels, at: number): number[] =>
  Array.from({ length: width * height }, (_, other) => other).filter(
    (other) =>
      Math.abs((other % width) - (at % width)) <= REACH &&
      Math.abs(Math.floor(other / width) - Math.floor(at / width)) <= REACH,
  )

/** Ridge regression of the mask on the colours of a window, by its normal equations for three slopes and a level. */
function fitWindow(picture: Pixels, mask: readonly number[], window: readonly number[]): number[] {
  const rows = window.map((at) => [...colourOf(picture, at).map((value) => value / 255), 1])
  const matrix = [0, 1, 2, 3].map((a) =>
    [0, 1, 2, 3].map(
      (b) =>
        rows.reduce((sum, row) => sum + row[a]! * row[b]!, 0) + (a === b && a < 3 ? FLAT * rows.length : 0),
    ),
  )
  const right = [0, 1, 2, 3].map((a) =>
    rows.reduce((sum, row, index) => sum + row[a]! * mask[window[index]!]!, 0),
  )
  return solveLinear(matrix, right).solution
}

describe('how opacity follows colour', () => {
  it.each([
    [9, 8],
    [4, 9],
    [9, 1],
  ])('is fitted in each window, and the mean of the windows around: %d x %d', (width, height) => {
    const random = randomNumbers(width)
    const picture = drawPicture(width, height, (x) => [0, 1, 2].map(() => random() * 120 + x * 15))
    const mask = Array.from({ length: width * height }, (_, at) => (at % width > 4 || random() < 0.2 ? 1 : 0))
    const fits = mask.map((_, at) => fitWindow(picture, mask, near(picture, at)))
    const follows = followColours(picture, mask)
    expect([follows.width, follows.height, follows.data.length]).toEqual([width, height, width * height * 4])
    follows.data.forEach((value, index) => {
      const window = near(picture, index >> 2)
      const mean = window.reduce((sum, at) => sum + fits[at]![index % 4]!, 0) / window.length
      expect(value).toBeCloseTo(mean, 3)
    })
  })

  it('is nothing but a level where all has one colour', () => {
    const picture = drawPicture(8, 8, () => [90, 20, 200])
    const { data } = followColours(picture, new Array<number>(64).fill(1))
    data.forEach((value, index) => expect(value).toBeCloseTo(index % 4 === 3 ? 1 : 0, 4))
  })
})

const clear = (opacity: number): number => {
  const share = Math.min(1, Math.max(0, (opacity - 0.2) / 0.6))
  return 3 * share ** 2 - 2 * share ** 3
}

const level = (width: number, height: number, levelAt: (x: number, y: number) => number): Follows => ({
  width,
  height,
  data: Float32Array.from({ length: width * height * 4 }, (_, at) =>
    at % 4 === 3 ? levelAt((at >> 2) % width, Math.floor((at >> 2) / width)) : 0,
  ),
})
const black = (width: number, height: number): Pixels => drawPicture(width, height, () => [0, 0, 0])

describe('the opacity of a large picture', () => {
  it.each([
    [-0.5, 0],
    [0.1, 0],
    [0.2, 0],
    [0.35, 0.15625],
    [0.5, 0.5],
    [0.65, 0.84375],
    [0.8, 1],
    [0.95, 1],
    [2, 1],
  ])(
    'is nothing below a fifth and all above four fifths, and smooth between: %d becomes %d',
    (own, becomes) => {
      const matte = matteOf(
        level(1, 1, () => own),
        { x: 0, y: 0, width: 1, height: 1 },
        black(3, 2),
      )
      expect([matte.width, matte.height, matte.data.length]).toEqual([3, 2, 6])
      for (const value of matte.data) expect(value).toBeCloseTo(becomes, 5)
    },
  )

  it('follows its own colours by the slopes', () => {
    const follows = { width: 1, height: 1, data: Float32Array.of(0.4, -0.2, 0.3, 0.25) }
    const large = drawPicture(5, 4, (x, y) => [x * 60, y * 80, 255 - x * y * 20])
    // The level counts whatever opacity the picture has itself.
    large.data[3] = 0
    const { data } = matteOf(follows, { x: 0, y: 0, width: 1, height: 1 }, large)
    data.forEach((value, at) => {
      const [red = 0, green = 0, blue = 0] = colourOf(large, at)
      expect(value).toBeCloseTo(clear((0.4 * red - 0.2 * green + 0.3 * blue) / 255 + 0.25), 5)
    })
  })

  it.each([
    ['of the same size', { x: 0, y: 0, width: 4, height: 3 }, [4, 3]],
    ['larger', { x: 0, y: 0, width: 4, height: 3 }, [13, 8]],
    ['a part that is larger', { x: 1.25, y: 0.6, width: 2, height: 1.5 }, [10, 9]],
    ['a part that reaches out', { x: -1.5, y: -1, width: 7, height: 5 }, [14, 10]],
    ['smaller', { x: 0, y: 0, width: 4, height: 3 }, [2, 2]],
  ] as const)('lies between the pixels of the small one: %s', (_, within, [width, height]) => {
    // A plane is what it is between its points too; it goes on as its border does.
    const levelAt = (x: number, y: number): number => 0.25 + 0.1 * x + 0.12 * y
    const { data } = matteOf(level(4, 3, levelAt), within, black(width, height))
    data.forEach((value, at) => {
      const x = within.x + (((at % width) + 0.5) * within.width) / width - 0.5
      const y = within.y + ((Math.floor(at / width) + 0.5) * within.height) / height - 0.5
      const own = levelAt(Math.min(3, Math.max(0, x)), Math.min(2, Math.max(0, y)))
      expect(value).toBeCloseTo(clear(own), 5)
    })
  })

  it('mixes the four pixels of the small one around it, slope by slope', () => {
    const random = randomNumbers(3)
    const follows = { width: 2, height: 2, data: Float32Array.from({ length: 16 }, () => random() * 0.5) }
    const large = drawPicture(4, 4, () => [255, 255, 255])
    // In the middle of all four; then a quarter away from the first, in both directions.
    const { data } = matteOf(follows, { x: 0.5, y: 0.5, width: 1, height: 1 }, large)
    const sum = (place: number): number =>
      follows.data.subarray(place * 4, place * 4 + 4).reduce((before, value) => before + value, 0)
    data.forEach((value, at) => {
      const right = ((at % 4) + 0.5) / 4
      const down = (Math.floor(at / 4) + 0.5) / 4
      const own =
        sum(0) * (1 - right) * (1 - down) +
        sum(1) * right * (1 - down) +
        sum(2) * (1 - right) * down +
        sum(3) * right * down
      expect(value).toBeCloseTo(clear(own), 5)
    })
  })
})
