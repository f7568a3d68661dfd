import { describe, expect, it } from 'vitest'
import { arrange } from './arrange.ts'
import type { Face, Person } from './seen.ts'
import { paneAt } from './view-at.ts'

const RATE = 25
const source = { width: 1280, height: 720 }
const output = { width: 1080, height: 1920 }

/** Somebody who is where this says at each second; null: not there. */
function person(
  id: number,
  seconds: number,
  at: (second: number) => readonly [number, number] | null,
): Person {
  const faces = Array.from({ length: seconds * RATE }, (_, frame): Face | null => {
    const place = at(frame / RATE)
    return place === null ? null : { x: place[0], y: place[1], width: 80, height: 105 }
  })
  return { id, faces, speaks: faces.map(() => false) }
}

const plan = (people: readonly Person[]) =>
  arrange({ people, maxPeople: 2, source, output, framesPerSecond: RATE, moveCosts: 1, banners: [] })

/** A fiftieth of a head may be cut: boxes are not measured better. */
const TOLERANCE = 3
const holds = (
  crop: { x: number; y: number; width: number; height: number },
  { x, y, width, height }: Face,
) =>
  x - width / 2 >= crop.x &&
  x + width / 2 <= crop.x + crop.width &&
  Math.max(0, y - height * 0.9) >= crop.y - TOLERANCE &&
  y + height / 2 <= crop.y + crop.height

const still = (id: number, x: number, seconds: number) => person(id, seconds, () => [x, 330])

describe('two who are shown at once', () => {
  it('have a pane each for the whole shot while they stay, in the order in which they sit', () => {
    const [only, ...more] = plan([still(0, 900, 20), still(1, 300, 20)])
    expect(more).toEqual([])
    expect(only?.panes).toHaveLength(2)
    expect(only?.panes[0]?.crop.x).toBeLessThan(only?.panes[1]?.crop.x ?? 0)
  })

  const expectWhole = (people: readonly Person[], made: ReturnType<typeof plan>) => {
    for (const { startFrame, endFrame, panes } of made) {
      expect(endFrame - startFrame).toBeGreaterThanOrEqual(1.4 * RATE)
      for (let frame = startFrame; frame < endFrame; frame++)
        for (const { faces } of people) {
          const face = faces[frame]
          if (face != null)
            expect(
              panes.some((pane) => holds(paneAt(pane, { startFrame, endFrame }, frame), face)),
              `frame ${frame}`,
            ).toBe(true)
        }
    }
  }

  it('have a pane that moves with the one who stands up and sits down, so that no head is cut in any frame', () => {
    const up = (second: number) => Math.min(1, Math.max(0, Math.min(second - 8, 13 - second) / 2))
    const stands = person(1, 20, (second) => [320, 500 - 300 * up(second)])
    const people = [still(0, 900, 20), stands]
    const made = plan(people)
    expectWhole(people, made)
    const [low, high] = made.map(({ panes }) => panes)[0] ?? []
    expect(made).toHaveLength(1)
    expect(low?.legs?.filter(({ cropTo }) => cropTo !== undefined)).toHaveLength(2)
    // It is no wider than for somebody who sits, and whoever stays in place has the same view throughout.
    expect(low?.crop.width).toBe(high?.crop.width)
    expect(high?.legs).toBeUndefined()
    const ys = Array.from({ length: 20 * RATE }, (_, frame) =>
      low === undefined ? 0 : paneAt(low, { startFrame: 0, endFrame: 20 * RATE }, frame).y,
    )
    const accelerations = ys.slice(2).map((y, at) => y - 2 * (ys[at + 1] ?? 0) + (ys[at] ?? 0))
    const most = Math.max(...accelerations.map(Math.abs))
    expect((most * RATE ** 2) / (low?.crop.width ?? 1)).toBeLessThanOrEqual(1.25)
  })

  it('keep their heads where one is somewhere else at once', () => {
    const stands = person(1, 20, (second) => [320, second >= 8 && second < 13 ? 60 : 560])
    const people = [still(0, 900, 20), stands]
    expectWhole(people, plan(people))
  })

  it('who come or leave change who is shown', () => {
    const comes = person(1, 20, (second) => (second < 8 ? null : [300, 330]))
    const made = plan([still(0, 900, 20), comes])
    expect(made.map(({ people }) => people.map(({ id }) => id))).toEqual([[0], [0, 1]])
    expect(Math.abs((made[0]?.endFrame ?? 0) / RATE - 8)).toBeLessThan(0.5)
  })

  it('have no panes where one runs through the whole picture', () => {
    const runs = person(1, 4, (second) => [640 + 560 * Math.sin(second * 6), 330])
    expect(
      plan([still(0, 900, 4), runs]).some(({ people, panes }) => people.length === 2 && panes.length === 0),
    ).toBe(true)
  })
})
