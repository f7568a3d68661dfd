import { describe, expect, it } from 'vitest'
import { edgesOf } from './edges.ts'
import type { Track } from './face.ts'
import { findSplits } from './splits.ts'

const WIDTH = 320
const HEIGHT = 192
const EVERY = 0.72

type Box = readonly [left: number, top: number, right: number, bottom: number]

const isIn = (x: number, y: number, [left, top, right, bottom]: Box): boolean =>
  x >= left && x < right && y >= top && y < bottom

/** What a camera sees: waves that go over the picture, in a tone of its own. */
const seen = (x: number, y: number, at: number, tone: number): number =>
  tone + 50 * Math.sin(x / 11 + at * 1.9 + tone) * Math.sin(y / 8 - at * 2.1)

/** Pictures with these boxes, each of a camera of its own, on a plain ground. */
function film(count: number, boxes: readonly Box[], ground = 10) {
  return Array.from({ length: count }, (_, at) => {
    const pixels = Uint8Array.from({ length: WIDTH * HEIGHT }, (__, place) => {
      const x = place % WIDTH
      const y = Math.floor(place / WIDTH)
      const own = boxes.findIndex((box) => isIn(x, y, box))
      return own < 0 ? ground : seen(x, y, at, 90 + 60 * (own % 2))
    })
    return edgesOf({ width: WIDTH, height: HEIGHT, pixels }, at * EVERY)
  })
}

/** Somebody whose face stays here, pixels. */
function track(id: number, [left, top, right, bottom]: Box, seconds: number, move = 0): Track {
  const points = Array.from({ length: Math.floor(seconds / 0.24) }, (_, at) => ({
    time: at * 0.24,
    face: {
      x: (left + move * at) / WIDTH,
      y: top / HEIGHT,
      width: (right - left) / WIDTH,
      height: (bottom - top) / HEIGHT,
      score: 1,
      landmarks: [],
    },
  }))
  return { id, points } as unknown as Track
}

const LEFT: Box = [60, 50, 100, 100]
const RIGHT: Box = [220, 50, 260, 100]
const SECONDS = 12 * EVERY
const both = [track(0, LEFT, SECONDS), track(1, RIGHT, SECONDS)]
const pixelsOf = (box: readonly number[]) => [
  Math.round((box[0] ?? 0) * WIDTH),
  Math.round((box[1] ?? 0) * HEIGHT),
  Math.round(((box[0] ?? 0) + (box[2] ?? 0)) * WIDTH),
  Math.round(((box[1] ?? 0) + (box[3] ?? 0)) * HEIGHT),
]

/** Inside the true box, and not much smaller. */
function expectBox(found: readonly number[] | undefined, [left, top, right, bottom]: Box): void {
  const [x = -1, y = -1, endX = -1, endY = -1] = pixelsOf(found ?? [])
  for (const [from, to] of [
    [left, x],
    [top, y],
    [endX, right],
    [endY, bottom],
  ]) {
    expect((to ?? 0) - (from ?? 0)).toBeGreaterThanOrEqual(0)
    expect((to ?? 0) - (from ?? 0)).toBeLessThanOrEqual(6)
  }
}

describe('a split screen', () => {
  const halves: readonly Box[] = [
    [0, 0, 160, 192],
    [160, 0, 320, 192],
  ]
  const cases: Record<string, readonly Box[]> = {
    halves,
    'boxes on a ground': [
      [12, 30, 150, 160],
      [170, 30, 308, 160],
    ],
    'a large and a small box': [
      [8, 10, 190, 182],
      [200, 30, 312, 150],
    ],
  }

  it.each(Object.entries(cases))('of %s is found with the picture of each guest', (_, boxes) => {
    const [only, ...more] = findSplits(film(12, boxes), both, [])
    expect(more).toEqual([])
    expect(only?.start).toBe(0)
    expect(only?.end).toBeCloseTo(11 * EVERY)
    expect(only?.boxes).toHaveLength(2)
    boxes.forEach((box, at) => expectBox(only?.boxes[at], box))
  })

  it('begins and ends with its shot, and goes on over a cut in one of its pictures', () => {
    const whole = film(6, [[0, 0, WIDTH, HEIGHT]])
    const split = film(14, halves).slice(6)
    const cut = 6 * EVERY
    const tracks = [track(0, LEFT, 14 * EVERY), track(1, RIGHT, 14 * EVERY)]
    const found = findSplits([...whole, ...split], tracks, [cut, cut + 3 * EVERY])
    expect(found.map(({ start }) => start)).toEqual([cut])
    expect(found.map(({ end }) => end)).toEqual([13 * EVERY])
  })

  it.each([
    ['two people before one camera', film(12, [[0, 0, WIDTH, HEIGHT]]), both],
    ['one person beside a picture', film(12, halves), both.slice(0, 1)],
    [
      'a door that does not go all the way',
      film(12, [
        [0, 0, 160, 100],
        [160, 0, 320, 100],
        [0, 100, 320, 192],
      ]),
      both,
    ],
    [
      'somebody who comes over the edge',
      film(12, halves),
      [track(0, LEFT, SECONDS, 3), track(1, RIGHT, SECONDS)],
    ],
    ['no pictures', [], both],
  ])('is not %s', (_, pictures, tracks) => {
    expect(findSplits(pictures, tracks, [])).toEqual([])
  })
})
