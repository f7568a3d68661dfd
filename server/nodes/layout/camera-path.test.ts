import { describe, expect, it } from 'vitest'
import { cameraPath, MIN_REST_SECONDS, MAX_ACCELERATION, smoothstep, type Leg } from './camera-path.ts'
import type { Point } from './seen.ts'

const view = { width: 400, height: 700 }
const rate = 25

const pathOf = (wanted: Point[]): Leg[] =>
  cameraPath({ wanted, view, framesPerSecond: rate, restSeconds: MIN_REST_SECONDS })

/** Where the view is in each frame, across. */
function across(legs: readonly Leg[]): number[] {
  return legs.flatMap(({ startFrame, endFrame, from, to }) =>
    Array.from({ length: endFrame - startFrame }, (_, at) => {
      const way = smoothstep(at / (endFrame - startFrame))
      return from.x + (to.x - from.x) * way
    }),
  )
}

const walk = (speed: number, seconds: number): Point[] =>
  Array.from({ length: seconds * rate }, (_, at) => ({ x: (speed * view.width * at) / rate, y: 0 }))

describe('somebody who walks on', () => {
  it.each([0.05, 0.1, 0.2, 0.25])(
    'at %f views a second stays in the picture until the shot ends',
    (speed) => {
      const wanted = walk(speed, 10)
      const places = across(pathOf(wanted))
      expect(places).toHaveLength(wanted.length)
      const off = places.map((x, at) => Math.abs(x - (wanted[at]?.x ?? 0)) / view.width)
      expect(Math.max(...off)).toBeLessThan(0.36)
    },
  )

  it('is followed in moves that are gentle, with a rest of a second between them', () => {
    const legs = pathOf(walk(0.2, 10))
    const moves = legs.filter(({ from, to }) => from.x !== to.x)
    expect(moves.length).toBeGreaterThan(2)
    for (const { startFrame, endFrame, from, to } of moves) {
      const seconds = (endFrame - startFrame) / rate
      const acceleration = (6 * Math.abs(to.x - from.x)) / view.width / seconds ** 2
      expect(acceleration).toBeLessThan(1.1 * MAX_ACCELERATION)
    }
    for (const { startFrame, endFrame, from, to } of legs.slice(0, -1)) {
      if (from.x === to.x) expect(endFrame - startFrame).toBeGreaterThanOrEqual(rate)
    }
  })
})

it('somebody who leans out for a moment and comes back does not draw the camera along', () => {
  const wanted = Array.from({ length: 200 }, (_, at) => ({ x: at >= 80 && at < 86 ? 120 : 0, y: 0 }))
  expect(pathOf(wanted)).toHaveLength(1)
})

it('a step aside just before the shot ends is not followed while it stays in the picture', () => {
  const wanted = Array.from({ length: 100 }, (_, at) => ({ x: at >= 75 ? 80 : 0, y: 0 }))
  expect(pathOf(wanted)).toHaveLength(1)
})
