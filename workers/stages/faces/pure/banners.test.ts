import { describe, expect, it } from 'vitest'
import { findBanners } from './banners.ts'
import { edgesOf } from './edges.ts'

const WIDTH = 320
const HEIGHT = 176
const EVERY = 0.72

/** Strokes three pixels wide, each of another shape. */
function stroke(x: number, y: number): boolean {
  const some = Math.sin(Math.floor(x / 6) * 12.9898 + Math.floor(y / 4) * 78.233) * 43758.5453
  return Math.floor(x / 3) % 2 === 0 && some - Math.floor(some) > 0.25
}

/** Waves that go over the picture. */
const ground = (x: number, y: number, at: number): number =>
  110 + 60 * Math.sin(x / 9 + at * 1.7) * Math.sin(y / 7 - at * 2.3)

/** Pictures in which `letters` says where there are any, and how far they have gone. */
function film(count: number, letters: (x: number, y: number, at: number) => number | null) {
  return Array.from({ length: count }, (_, at) => {
    const pixels = Uint8Array.from({ length: WIDTH * HEIGHT }, (__, place) => {
      const x = place % WIDTH
      const y = Math.floor(place / WIDTH)
      const gone = letters(x, y, at)
      if (gone === null) return ground(x, y, at)
      return stroke(x + gone, y) ? 235 : 30
    })
    return edgesOf({ width: WIDTH, height: HEIGHT, pixels }, at * EVERY)
  })
}

const isIn = (x: number, y: number, [left, top, right, bottom]: readonly number[]): boolean =>
  x >= (left ?? 0) && x < (right ?? 0) && y >= (top ?? 0) && y < (bottom ?? 0)

describe('what is laid over a picture', () => {
  it('is found where it stands, from when to when', () => {
    const place = [40, 120, 200, 144]
    const [only, ...more] = findBanners(
      film(16, (x, y, at) => (at >= 4 && at < 11 && isIn(x, y, place) ? 0 : null)),
    )
    expect(more).toEqual([])
    expect(only?.start).toBeCloseTo(3 * EVERY)
    expect(only?.end).toBeCloseTo(11 * EVERY)
    const [x = 0, y = 0, width = 0, height = 0] = only?.box ?? []
    expect(x * WIDTH).toBeGreaterThanOrEqual(28)
    expect(x * WIDTH).toBeLessThanOrEqual(48)
    expect((x + width) * WIDTH).toBeGreaterThanOrEqual(196)
    expect((x + width) * WIDTH).toBeLessThanOrEqual(212)
    expect(y * HEIGHT).toBeLessThanOrEqual(122)
    expect((y + height) * HEIGHT).toBeGreaterThanOrEqual(142)
  })

  it('is found where its letters run through a band', () => {
    const [only, ...more] = findBanners(film(14, (_, y, at) => (y >= 152 && y < 168 ? at * 34 : null)))
    expect(more).toEqual([])
    const [x = 1, y = 0, width = 0, height = 0] = only?.box ?? []
    expect(x).toBeLessThan(0.02)
    expect(width).toBeGreaterThan(0.96)
    expect(y * HEIGHT).toBeLessThanOrEqual(152)
    expect((y + height) * HEIGHT).toBeGreaterThanOrEqual(168)
    expect(only?.end).toBeCloseTo(13 * EVERY)
  })

  it.each([
    ['a picture that moves', () => null],
    ['letters that all of a turning picture has', (_x: number, _y: number, at: number) => at * 34],
    [
      'letters for a moment',
      (x: number, y: number, at: number) => (at < 3 && isIn(x, y, [40, 120, 200, 144]) ? 0 : null),
    ],
    ['a pattern over half of a picture', (_x: number, y: number) => (y > 80 ? 0 : null)],
    ['a small patch', (x: number, y: number) => (isIn(x, y, [40, 40, 64, 64]) ? 0 : null)],
  ])('is not %s', (_, letters) => {
    expect(findBanners(film(14, letters))).toEqual([])
  })

  it('is nothing in hardly any pictures', () => {
    expect(findBanners([])).toEqual([])
    expect(findBanners(film(2, () => 0))).toEqual([])
  })
})
