import { describe, expect, it } from 'vitest'
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import type { LayoutSpan } from '../../contract/composition.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { framePeople } from './frame-people.ts'
import { shownParts } from './view-at.ts'

const RATE = 25
const SECONDS = 20
const source = { width: 1280, height: 720 }
const HALVES = [
  [0, 0, 0.498, 1],
  [0.502, 0, 0.498, 1],
] as const

/** Two guests in halves; from when to when each speaks. */
function facesOf(left: readonly (readonly number[])[], right: readonly (readonly number[])[]): ClipFaces {
  const track = (id: number, x: number, turns: readonly (readonly number[])[]) => ({
    id,
    points: [0, SECONDS].map((time): [number, number, number, number, number] => [time, x, 0.3, 0.12, 0.28]),
    speaking: turns.map(([start = 0, end = 0]) => ({ start, end })),
  })
  return {
    start: 0,
    end: SECONDS,
    shotStarts: [],
    tracks: [track(0, 0.3, left), track(1, 0.58, right)],
    screens: [],
    splits: [{ start: 0, end: SECONDS, boxes: HALVES.map((box) => [...box]) }],
  }
}

const LIMITS = { maxPeople: 4, adaptive: true, forceSplit: false, ignoreScreens: false } as const

function frame(faces: ClipFaces, limits: Partial<Parameters<typeof framePeople>[0]['limits']> = {}) {
  const timeMap = [
    {
      startFrame: 0,
      endFrame: SECONDS * RATE,
      sourceStart: 0,
      sourceEnd: secondsToTicks(SECONDS),
      playbackRate: 1,
    },
  ]
  const output = { width: 1080, height: 1920 }
  return framePeople({
    faces,
    timeMap,
    source,
    output,
    framesPerSecond: RATE,
    limits: { ...LIMITS, ...limits },
  })
}

/** `left` and `right`: only that guest; `both`. Over the seam it is `straddles`. */
function whoAt(layout: readonly LayoutSpan[], second: number): string {
  const at = second * RATE
  const span = layout.find(({ startFrame, endFrame }) => startFrame <= at && at < endFrame)
  const views = span === undefined ? [] : shownParts(span, at)
  const sides = views.map(({ x, width }) => (x + width <= 640 ? 'left' : x >= 640 ? 'right' : 'straddles'))
  return sides.length === 2 && new Set(sides).size === 2 ? 'both' : sides.join()
}

describe('a source that is a split screen', () => {
  const turns = facesOf(
    [
      [0, 5],
      [14, 20],
    ],
    [[5.2, 10]],
  )

  it('shows each guest alone while only that guest speaks, and both in a long pause', () => {
    const layout = frame(turns)
    expect([1, 4, 6, 9, 12, 16, 19].map((second) => whoAt(layout, second))).toEqual([
      'left',
      'left',
      'right',
      'right',
      'both',
      'left',
      'left',
    ])
  })

  it('never shows what is beside a guest’s own picture', () => {
    for (const style of [{}, { maxPeople: 1, adaptive: false }, { maxPeople: 2, adaptive: false }] as const) {
      const layout = frame(turns, style)
      for (let second = 0; second < SECONDS; second += 0.2)
        expect(whoAt(layout, second)).not.toContain('straddles')
    }
  })

  it('does not cut for less than a second, nor to both for a breath', () => {
    const layout = frame(
      facesOf(
        [
          [0, 4],
          [4.9, 9],
        ],
        [[9.4, 9.8]],
      ),
    )
    expect(whoAt(layout, 4.5)).toBe('left')
    expect(whoAt(layout, 9.6)).not.toBe('right')
  })

  it('shows both while both speak', () => {
    expect(whoAt(frame(facesOf([[0, 12]], [[6, 20]])), 9)).toBe('both')
  })

  it('shows as many as a style names, one at a time where that is one', () => {
    expect(whoAt(frame(turns, { maxPeople: 2, adaptive: false }), 6)).toBe('both')
    const one = frame(turns, { maxPeople: 1, adaptive: false })
    expect([1, 6, 19].map((second) => whoAt(one, second))).toEqual(['left', 'right', 'left'])
    expect(whoAt(one, 12)).not.toBe('both')
    expect(whoAt(frame(turns, { forceSplit: true }), 6)).toBe('both')
  })
})
