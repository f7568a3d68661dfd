import { describe, expect, it } from 'vitest'
import type { Grey } from '../../faces/pure/face.ts'
import { cutsIn, watchChanges, type Look } from '../stage.ts'

/** Looks every `apart` seconds; `at` gives the changes that are not `usual`, by second. */
function looksOf(
  seconds: number,
  apart: number,
  usual: (time: number) => number,
  at: Record<number, number>,
): Look[] {
  const times = new Set([
    ...Array.from({ length: Math.floor(seconds / apart) }, (_, n) => n * apart),
    ...Object.keys(at).map(Number),
  ])
  return [...times]
    .sort((a, b) => a - b)
    .map((time) => ({ time, change: at[time] ?? usual(time), motion: 0 }))
}

describe('cuts among pictures that lie seconds apart', () => {
  it('are where the picture changes far more than it usually does', () => {
    const looks = looksOf(120, 2, () => 0.03, { 40: 0.3, 80: 0.5 })
    expect(cutsIn(looks)).toEqual([40, 80])
  })

  it('are found however many there are, as long as the picture rests between them', () => {
    const cuts = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [n * 8 + 8, 0.25]))
    expect(cutsIn(looksOf(120, 4, () => 0.02, cuts))).toEqual(Object.keys(cuts).map(Number))
  })

  it('are not seen in a pan, where every picture differs from the one before', () => {
    expect(cutsIn(looksOf(120, 2, (time) => 0.25 + 0.03 * Math.sin(time), {}))).toEqual([])
  })

  it('take less change where a keyframe came early, as encoders put it at a cut', () => {
    const looks = looksOf(120, 5, () => 0.02, { 32: 0.1, 71: 0.03 })
    expect(cutsIn(looks)).toEqual([32])
    // The same change at a regular keyframe is none.
    expect(cutsIn(looksOf(120, 5, () => 0.03, { 30: 0.1 }))).toEqual([])
  })

  it('are not guessed between pictures that lie too far apart, and none are in nothing', () => {
    expect(cutsIn(looksOf(240, 30, () => 0.02, { 120: 0.6 }))).toEqual([])
    expect(cutsIn([])).toEqual([])
    expect(cutsIn(looksOf(4, 5, () => 0, {}))).toEqual([])
  })
})

describe('what changes between two pictures', () => {
  const picture = (of: (x: number, y: number) => number): Grey => ({
    width: 64,
    height: 36,
    pixels: Uint8Array.from({ length: 64 * 36 }, (_, at) => of(at % 64, Math.floor(at / 64))),
  })
  const block = (left: number) =>
    picture((x, y) => (x >= left && x < left + 10 && y > 10 && y < 26 ? 220 : 40))

  it('is nothing between equal ones, and grows with how far something moves', () => {
    const { measure } = watchChanges()
    expect(measure(0, block(5))).toMatchObject({ change: 0, motion: 0 })
    expect(measure(1, block(5))).toMatchObject({ change: 0, motion: 0 })
    const near = measure(2, block(8)).motion
    const far = measure(3, block(30)).motion
    expect(near).toBeGreaterThan(0)
    expect(far).toBeGreaterThan(2 * near)
    expect(
      measure(
        4,
        picture(() => 250),
      ).motion,
    ).toBe(1)
  })
})
