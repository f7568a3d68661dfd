import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FaceTrack } from '../../contract/clip-measurements.ts'
import { faceAt, type Face, type Person } from './seen.ts'
import { MIN_LOOK, looksAt } from './speakers.ts'

const RATE = 25
const FACE: Face = { x: 100, y: 100, width: 40, height: 50 }

/** `speaks` and `there` in seconds. */
function person(
  id: number,
  seconds: number,
  speaks: readonly [number, number][],
  there: readonly [number, number][] = [[0, seconds]],
): Person {
  const within = (stretches: readonly [number, number][], frame: number): boolean =>
    stretches.some(([from, to]) => frame >= Math.round(from * RATE) && frame < Math.round(to * RATE))
  const frames = Array.from({ length: Math.round(seconds * RATE) }, (_, frame) => frame)
  return {
    id,
    faces: frames.map((frame) => (within(there, frame) ? FACE : null)),
    speaks: frames.map((frame) => within(speaks, frame)),
  }
}

const looked = (people: readonly Person[], seconds: number): [number, number][] =>
  looksAt(people, Math.round(seconds * RATE), RATE).map(({ person: { id }, startFrame }) => [
    id,
    startFrame / RATE,
  ])

describe('whom the camera looks at', () => {
  it('changes with the turn itself, whatever silence is between', () => {
    const left = person(0, 12, [[0, 3], [8, 12]]) // prettier-ignore
    const right = person(1, 12, [[4.2, 7]])
    expect(looked([left, right], 12)).toEqual([[0, 0], [1, 4.2], [0, 8]]) // prettier-ignore
  })

  it('stays for a word of agreement, and with who is alone', () => {
    const left = person(0, 10, [[0, 4], [4.5, 10]]) // prettier-ignore
    expect(looked([left, person(1, 10, [[4, 4.5]])], 10)).toEqual([[0, 0]])
    expect(looked([left], 10)).toEqual([[0, 0]])
  })

  it('goes early to a turn that is as short as a look, so that it is not late for the one after', () => {
    const left = person(0, 9, [[0, 4], [4.9, 9]]) // prettier-ignore
    const right = person(1, 9, [[4, 4.9]])
    const looks = looked([left, right], 9)
    expect(looks.map(([id]) => id)).toEqual([0, 1, 0])
    expect(Math.abs((looks[1]?.[1] ?? 0) - 4)).toBeLessThanOrEqual(0.12)
    expect(Math.abs((looks[2]?.[1] ?? 0) - 4.9)).toBeLessThanOrEqual(0.12)
  })

  it('leaves who has left, but not who turns away for a moment', () => {
    const talks = person(0, 10, [[0, 2]], [[0, 4]])
    const other = person(1, 10, [])
    expect(looked([talks, other], 10)).toEqual([[0, 0], [1, 4]]) // prettier-ignore
    const away = person(0, 10, [[0, 2]], [[0, 4], [4.8, 10]]) // prettier-ignore
    expect(looked([away, other], 10)).toEqual([[0, 0]])
  })

  it('follows every turn of a second or more, and nobody is looked at for less than a second', () => {
    const turns = fc.array(
      fc.record({
        length: fc.integer({ min: RATE, max: 5 * RATE }),
        pause: fc.integer({ min: 0, max: 2 * RATE }),
      }),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(turns, (drawn) => {
        let at = 0
        const starts = drawn.map(({ length, pause }) => {
          const from = at
          const to = at + length
          at = to + pause
          return [from / RATE, to / RATE] as [number, number]
        })
        const seconds = Math.max(2, at / RATE)
        const people = [0, 1].map(
          (who) =>
          person(who, seconds, starts.filter((_, index) => index % 2 === who)), // prettier-ignore
        )
        const looks = looksAt(people, Math.round(seconds * RATE), RATE)
        looks.forEach(({ startFrame, endFrame }, index) => {
          expect(endFrame - startFrame).toBeGreaterThanOrEqual(MIN_LOOK * RATE)
          expect(startFrame).toBe(looks[index - 1]?.endFrame ?? 0)
        })
        expect(looks.map(({ person: { id }, startFrame }) => [id, startFrame / RATE])).toEqual(
          starts.map(([from], index) => [index % 2, from]),
        )
      }),
    )
  })
})

describe('a face that sits still', () => {
  const points: FaceTrack['points'] = [[10, 0.2, 0.3, 0.1, 0.2], [14, 0.21, 0.3, 0.1, 0.2]] // prettier-ignore

  it('is there between points that are seconds apart: those on the way were left out', () => {
    const face = faceAt({ points }, 12, 0.3)
    expect(face?.x).toBeCloseTo(0.205)
    expect(face?.width).toBeCloseTo(0.1)
  })

  it('is not there before its first and after its last, but for the moment that is asked for', () => {
    expect(faceAt({ points }, 9.8, 0.3)?.x).toBe(0.2)
    expect(faceAt({ points }, 14.2, 0.3)?.x).toBe(0.21)
    expect(faceAt({ points }, 9.6, 0.3)).toBeNull()
    expect(faceAt({ points }, 14.4, 0.3)).toBeNull()
    expect(faceAt({ points: [] }, 12, 0.3)).toBeNull()
  })
})
