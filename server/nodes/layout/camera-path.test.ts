import { describe, expect, it } from 'vitest'
import { smoothstep } from './camera-grid.ts'
import { planCamera, MIN_REST_SECONDS, MAX_ACCELERATION, type Leg } from './camera-path.ts'

import type { BannerSpan } from './seen.ts'

const view = { width: 400, height: 700 }
const source = { width: 1280, height: 700 }
const rate = 25
const HEAD = 60

/** The plan for a head whose middle is here in each frame, from the left, in pixels. */
function planFor(
  middles: readonly number[],
  options: { moveCosts?: number; widens?: boolean; banners?: readonly BannerSpan[] } = {},
) {
  const inside = (x: number): number => Math.min(source.width - view.width, Math.max(0, x - view.width / 2))
  const heads = middles.map((x) => ({ left: x - HEAD, right: x + HEAD, top: 150, bottom: 300 }))
  const wanted = middles.map((x) => ({ x: inside(x), y: 0 }))
  const usual = { moveCosts: 1, widens: true, banners: [] }
  const parts = planCamera({ heads, wanted, view, source, framesPerSecond: rate, ...usual, ...options })
  /** What is seen across in each frame. */
  const seen = parts.flatMap((part) =>
    Array.from({ length: part.endFrame - part.startFrame }, (_, at) => {
      if ('wide' in part) return { from: part.wide.x, to: part.wide.x + part.wide.width }
      const way = smoothstep(at / (part.endFrame - part.startFrame))
      const from = part.from.x + (part.to.x - part.from.x) * way
      return { from, to: from + view.width }
    }),
  )
  const cut = seen.filter(({ from, to }, at) => {
    const middle = middles[at] ?? 0
    return middle - HEAD < from - 4 || middle + HEAD > to + 4
  })
  return {
    parts,
    legs: parts.flatMap((part): Leg[] => ('wide' in part ? [] : [part])),
    seen,
    cut: cut.length,
  }
}

const moving = (seconds: number, at: (second: number) => number): number[] =>
  Array.from({ length: seconds * rate }, (_, frame) => at(frame / rate))

describe('somebody who walks on', () => {
  it.each([0.05, 0.1, 0.2, 0.25])('at %f views a second is whole until the shot ends', (speed) => {
    const { seen, cut } = planFor(moving(8, (second) => 200 + speed * view.width * second))
    expect(seen).toHaveLength(200)
    expect(cut).toBe(0)
  })

  it('is followed gently; where the camera rests between two moves, it rests for a second', () => {
    const { legs } = planFor(moving(10, (second) => 200 + 80 * second))
    const moves = legs.filter(({ from, to }) => from.x !== to.x)
    expect(moves.length).toBeGreaterThan(0)
    for (const { startFrame, endFrame, from, to } of moves) {
      const seconds = (endFrame - startFrame) / rate
      expect((6 * Math.abs(to.x - from.x)) / view.width / seconds ** 2).toBeLessThanOrEqual(
        MAX_ACCELERATION + 1e-9,
      )
    }
    for (const { startFrame, endFrame, from, to } of legs.slice(1, -1))
      if (from.x === to.x) expect(endFrame - startFrame).toBeGreaterThanOrEqual(MIN_REST_SECONDS * rate)
  })
})

it('somebody who leans out for a moment and comes back does not draw the camera along', () => {
  expect(planFor(moving(8, (second) => (second >= 3 && second < 3.3 ? 720 : 600))).parts).toHaveLength(1)
})

it('a step aside just before the shot ends is not followed while it stays in the picture', () => {
  expect(planFor(moving(4, (second) => (second >= 3 ? 680 : 600))).parts).toHaveLength(1)
})

describe('somebody who sways', () => {
  it('slowly is followed, and whole in 99 of 100 frames', () => {
    const { legs, parts, seen, cut } = planFor(moving(20, (second) => 640 + 300 * Math.sin(second)))
    expect(legs).toHaveLength(parts.length)
    expect(legs.some(({ from, to }) => from.x !== to.x)).toBe(true)
    expect(cut / seen.length).toBeLessThan(0.01)
  })

  it('faster than the camera may go has a wider picture, of no more than the way', () => {
    const { parts, cut } = planFor(moving(12, (second) => 640 + 250 * Math.sin(2.5 * second)))
    expect(parts).toHaveLength(1)
    const [first] = parts
    if (first === undefined || !('wide' in first)) throw new Error('not widened')
    expect(first.wide.width).toBeGreaterThan(2 * 250 + 2 * HEAD)
    expect(first.wide.width).toBeLessThan(800)
    expect(cut).toBe(0)
  })

  it('is not widened for where somebody chose the view', () => {
    const { parts, legs } = planFor(
      moving(12, (second) => 640 + 250 * Math.sin(2.5 * second)),
      { widens: false },
    )
    expect(legs).toHaveLength(parts.length)
  })
})

describe('a banner', () => {
  const banner = (left: number, right: number) => ({
    startFrame: 0,
    endFrame: 250,
    box: { left, right, top: 560, bottom: 620 },
  })
  const sits = moving(10, () => 640)

  it.each([
    ['at the edge is seen whole', 560, 860],
    ['far at the edge is not seen', 780, 1100],
    ['that is in the view changes nothing', 500, 700],
  ])('%s, and the view rests', (_, left, right) => {
    const { seen, cut, legs } = planFor(sits, { banners: [banner(left, right)] })
    expect(cut).toBe(0)
    expect(legs).toHaveLength(1)
    const inside = Math.min(right, seen[0]?.to ?? 0) - Math.max(left, seen[0]?.from ?? 0)
    expect(inside <= 0.03 * view.width || inside >= right - left - 0.03 * view.width).toBe(true)
  })

  it('that no view can hold or leave out moves nothing', () => {
    const banners = [banner(100, 1200)]
    expect(planFor(sits, { banners }).parts).toEqual(planFor(sits).parts)
  })

  it('is cut rather than a head', () => {
    const { cut } = planFor(
      moving(10, () => 400),
      { banners: [banner(380, 790)] },
    )
    expect(cut).toBe(0)
  })
})

it('moves less where moves are dearer', () => {
  const walk = moving(30, (second) => 640 + 150 * Math.sin(second))
  const count = (moveCosts: number): number =>
    planFor(walk, { moveCosts, widens: false }).legs.filter(({ from, to }) => from.x !== to.x).length
  expect(count(1)).toBeGreaterThan(0)
  expect(count(4096)).toBeLessThan(count(1))
})

it('plans a minute of somebody who walks to and fro the same way each time', () => {
  const walk = moving(60, (second) => 640 + 300 * Math.sin(second * 0.7))
  expect(planFor(walk).parts).toEqual(planFor(walk).parts)
})
