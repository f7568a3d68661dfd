import { describe, expect, it } from 'vitest'
import { curveAt, straightPieces } from './curves.ts'
import { valueAt } from './keyframes.ts'

/** CSS's `ease`. */
const EASE = { x1: 0.25, y1: 0.1, x2: 0.25, y2: 1 }

describe('a curve', () => {
  it('is straight where its handles are', () => {
    const straight = { x1: 1 / 3, y1: 1 / 3, x2: 2 / 3, y2: 2 / 3 }
    for (const share of [0, 0.1, 0.5, 0.9, 1]) expect(curveAt(straight, share)).toBeCloseTo(share, 8)
  })

  it.each([
    [0.25, 0.4085],
    [0.5, 0.8024],
    [0.75, 0.9605],
  ])('is at %d of the time where CSS has `ease`', (share, way) => {
    expect(curveAt(EASE, share)).toBeCloseTo(way, 3)
  })

  it('may go beyond its end and come back', () => {
    const back = { x1: 0.34, y1: 1.56, x2: 0.64, y2: 1 }
    expect(Math.max(...Array.from({ length: 50 }, (_, at) => curveAt(back, at / 50)))).toBeGreaterThan(1.05)
    expect(curveAt(back, 1)).toBe(1)
  })
})

describe('straight pieces', () => {
  const from = { frame: 10, value: 100, easing: 'linear' as const }
  const next = { frame: 310, value: 1100, easing: 'hold' as const }

  it('are on the curve on every frame, by far fewer points than frames', () => {
    const points = straightPieces(from, next, EASE)
    expect(points[0]).toEqual(from)
    expect(points.length).toBeLessThan(50)
    for (let frame = 10; frame <= 310; frame++) {
      const wanted = 100 + 1000 * curveAt(EASE, (frame - 10) / 300)
      expect(Math.abs(valueAt([...points, next], frame) - wanted)).toBeLessThanOrEqual(0.5)
    }
  })

  it('are one where the next point is the next frame', () => {
    expect(straightPieces(from, { ...next, frame: 11 }, EASE)).toEqual([from])
  })
})
