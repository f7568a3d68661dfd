import { describe, expect, it } from 'vitest'
import { arrange } from './arrange.ts'
import type { Face, Person } from './seen.ts'

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
  arrange({ people, maxPeople: 2, source, output, framesPerSecond: RATE })

const holds = (
  crop: { x: number; y: number; width: number; height: number },
  { x, y, width, height }: Face,
) =>
  x - width / 2 >= crop.x &&
  x + width / 2 <= crop.x + crop.width &&
  Math.max(0, y - height * 0.9) >= crop.y &&
  y + height / 2 <= crop.y + crop.height

const still = (id: number, x: number, seconds: number) => person(id, seconds, () => [x, 330])

describe('two who are shown at once', () => {
  it('have a pane each for the whole shot while they stay, in the order in which they sit', () => {
    const [only, ...more] = plan([still(0, 900, 20), still(1, 300, 20)])
    expect(more).toEqual([])
    expect(only?.panes).toHaveLength(2)
    expect(only?.panes[0]?.crop.x).toBeLessThan(only?.panes[1]?.crop.x ?? 0)
  })

  it('have their panes planned anew when one stands up far, so that no head is cut in any frame', () => {
    const stands = person(1, 20, (second) => [320, second >= 8 && second < 13 ? 60 : 560])
    const people = [still(0, 900, 20), stands]
    const made = plan(people)
    expect(made.length).toBeGreaterThan(1)
    for (const { startFrame, endFrame, panes } of made) {
      expect(endFrame - startFrame).toBeGreaterThanOrEqual(1.4 * RATE)
      for (let frame = startFrame; frame < endFrame; frame++)
        for (const { faces } of people) {
          const face = faces[frame]
          if (face != null)
            expect(
              panes.some(({ crop }) => holds(crop, face)),
              `frame ${frame}`,
            ).toBe(true)
        }
    }
    // Who stays in place has the same view throughout.
    expect(new Set(made.map(({ panes }) => panes[1]?.crop.x)).size).toBe(1)
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
