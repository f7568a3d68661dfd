import { describe, expect, it } from 'vitest'
import { colourOf, drawPicture, randomNumbers } from '../../../test/support/small-pictures.ts'
import { hasClearOutline, measureEdgeStrength } from './outline.ts'
import type { Pixels } from './pixels.ts'

const maskOf = (width: number, height: number, isPerson: (x: number, y: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: width * height }, (_, at) =>
    isPerson(at % width, Math.floor(at / width)) ? 1 : 0,
  )

/** Mean change of the blurred colours of pixels five apart: of those parted by the mask, and of the others. */
function changes(picture: Pixels, mask: Uint8Array): { across: number[]; elsewhere: number[] } {
  const { width, height } = picture
  const places = Array.from({ length: width * height }, (_, at) => ({
    x: at % width,
    y: Math.floor(at / width),
    at,
  }))
  const blurred = places.map(({ x, y }) => {
    const near = places.filter((other) => Math.abs(other.x - x) <= 2 && Math.abs(other.y - y) <= 2)
    return [0, 1, 2].map(
      (channel) => near.reduce((sum, { at }) => sum + colourOf(picture, at)[channel]!, 0) / near.length,
    )
  })
  const across: number[] = []
  const elsewhere: number[] = []
  for (const one of places)
    for (const other of places) {
      const right = other.x - one.x
      const down = other.y - one.y
      if (!((right === 5 && down === 0) || (right === 0 && down === 5))) continue
      const change = blurred[one.at]!.reduce(
        (sum, value, channel) => sum + Math.abs(value - blurred[other.at]![channel]!),
        0,
      )
      const parted = mask[one.at] !== mask[other.at]
      const list = parted ? across : elsewhere
      list.push(change)
    }
  return { across, elsewhere }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

describe('the strength of an outline', () => {
  it.each([
    [9, 8],
    [8, 11],
    [12, 6],
    [7, 5],
  ])('is the change across it against that elsewhere: %d x %d pixels', (width, height) => {
    const random = randomNumbers(width)
    const picture = drawPicture(width, height, (x, y) => [random() * 250, x * 20, y * 20])
    const mask = maskOf(width, height, (x, y) => Math.hypot(x - 4, y - 5) < 3.2)
    const { across, elsewhere } = changes(picture, mask)
    expect(measureEdgeStrength(picture, mask)).toBeCloseTo(mean(across) / mean(elsewhere), 4)
  })

  it('takes a change of less than one, where all else is flat, for one', () => {
    const picture = drawPicture(30, 6, (x) => (x < 15 ? [100, 100, 100] : [100, 103, 100]))
    const mask = maskOf(30, 6, (x) => x < 15)
    const { across, elsewhere } = changes(picture, mask)
    expect(mean(elsewhere)).toBeLessThan(1)
    expect(measureEdgeStrength(picture, mask)).toBeCloseTo(mean(across), 5)
  })

  it('is nothing where there is no outline, or nothing else', () => {
    const picture = drawPicture(9, 9, (x) => [x * 20, 0, 0])
    expect(measureEdgeStrength(picture, new Uint8Array(81))).toBe(0)
    expect(measureEdgeStrength(picture, new Uint8Array(81).fill(1))).toBe(0)
    // Every fifth pixel to the right is on the other side.
    const line = drawPicture(10, 1, (x) => [x * 20, 0, 0])
    expect(
      measureEdgeStrength(
        line,
        maskOf(10, 1, (x) => x < 5),
      ),
    ).toBe(0)
  })
})

describe('an outline is clear', () => {
  const width = 40
  const height = 12
  const mask = maskOf(width, height, (x) => x < 20)
  const clear = drawPicture(width, height, (x) => (x < 20 ? [200, 30, 30] : [20, 60, 200]))
  const box = { x: 0, y: 0, width, height }

  it.each([
    // A 25th and a 26th on one side of the border.
    ['4 %', { x: 19, y: 2, width: 25 - 6, height: 8 }, true],
    ['3.8 %', { x: 19, y: 2, width: 21, height: 8 }, true],
    ['half', box, true],
    ['nothing', { x: 20, y: 0, width: 20, height: 12 }, false],
    ['all', { x: 0, y: 0, width: 20, height: 12 }, false],
  ])('where it takes neither almost nothing nor almost all of the box: %s', (_, part, expected) => {
    expect(hasClearOutline(clear, mask, part)).toBe(expected)
  })

  it.each([
    [1, 25, true],
    [1, 26, false],
    [24, 25, true],
    [25, 26, false],
  ])(
    'where it takes at least 4 and at most 96 percent of the box: %d of %d columns',
    (own, all, expected) => {
      const wide = 52
      const isPerson = (x: number): boolean => x < 26
      const picture = drawPicture(wide, 8, (x) => (isPerson(x) ? [200, 30, 30] : [20, 60, 200]))
      const part = { x: 26 - own, y: 0, width: all, height: 8 }
      expect(
        hasClearOutline(
          picture,
          maskOf(wide, 8, (x) => isPerson(x)),
          part,
        ),
      ).toBe(expected)
    },
  )

  it('only of the part of the box that is in the picture, to the nearest pixel', () => {
    // One row and two columns of the person in a corner; all else is empty.
    const isPerson = (x: number, y: number): boolean => x < 10 && y < 6
    const corner = maskOf(width, height, isPerson)
    const picture = drawPicture(width, height, (x, y) => (isPerson(x, y) ? [200, 30, 30] : [20, 60, 200]))
    const look = (x: number, y: number, w: number, h: number): boolean =>
      hasClearOutline(picture, corner, { x, y, width: w, height: h })
    // All of it is the person's inside the picture; what is outside does not count.
    expect(look(-30, -30, 40, 36)).toBe(false)
    expect(look(-30, -30, 41, 36)).toBe(true)
    expect(look(-30, -30, 40, 37)).toBe(true)
    expect(look(-30, -30, 40.4, 36.4)).toBe(false)
    expect(look(-30, -30, 40.6, 36)).toBe(true)
    expect(look(-30, -30, 40, 36.6)).toBe(true)
    // None of it is, on the other sides.
    expect(look(10, 0, 90, 90)).toBe(false)
    expect(look(0, 6, 90, 90)).toBe(false)
    expect(look(9.6, 0, 90, 90)).toBe(false)
    expect(look(0, 5.6, 90, 90)).toBe(false)
    expect(look(8.4, 0, 30, 9)).toBe(true)
    expect(look(0, 4.4, 20, 30)).toBe(true)
  })

  it('where colours change across it at least 1.15 times as much as elsewhere', () => {
    // Noise is everywhere; what the person adds decides.
    const random = randomNumbers(2)
    const noise = Array.from({ length: width * height }, () => random() * 120)
    const drawn = (more: number): Pixels =>
      drawPicture(width, height, (x, y) => [noise[y * width + x]! + (x < 20 ? more : 0), 90, 90])
    const strength = (more: number): number => measureEdgeStrength(drawn(more), mask)
    const more = Array.from({ length: 8 }, (_, value) => value * 8)
    expect(strength(0)).toBeLessThan(1.15)
    expect(strength(56)).toBeGreaterThan(1.15)
    expect(more.map((value) => hasClearOutline(drawn(value), mask, box))).toEqual(
      more.map((value) => strength(value) >= 1.15),
    )
  })
})
