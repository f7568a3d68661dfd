import { describe, expect, it } from 'vitest'
import type { PictureMove } from '../../server/contract/composition.ts'
import { placed, stanceOf } from './picture-moves.ts'

const REST = { x: 100, y: 200, width: 400, height: 600 }
const OUTPUT = { width: 1080, height: 1920 }
const none = { kind: 'none', frames: 0 } as const
const at = (frame: number, intro: PictureMove, outro: PictureMove = none, rest = REST) =>
  stanceOf({ startFrame: 10, endFrame: 110, intro, outro }, frame, rest, OUTPUT)
const still = { alpha: 1, scale: 1, x: 0, y: 0 }

describe('a picture comes', () => {
  // On the first of three frames a quarter of the time is over, and the cube of three quarters of the way is left.
  const left = 0.75 ** 3
  it.each<[PictureMove['kind'], Partial<typeof still>]>([
    ['none', {}],
    ['fade', { alpha: 0.25 }],
    ['left', { x: -500 * left }],
    ['right', { x: 980 * left }],
    ['top', { y: -800 * left }],
    ['bottom', { y: 1720 * left }],
    ['small', { alpha: 0.25, scale: 1 - 0.7 * left }],
    ['large', { alpha: 0.25, scale: 1 + 0.5 * left }],
  ])('by %s', (kind, stance) => {
    expect(at(10, { kind, frames: 3 })).toEqual({ ...still, ...stance })
    expect(at(13, { kind, frames: 3 })).toEqual(still)
  })

  it('and leaves the same way, on its last frames', () => {
    const fade = { kind: 'fade', frames: 3 } as const
    expect([10, 11, 12, 13].map((frame) => at(frame, fade).alpha)).toEqual([0.25, 0.5, 0.75, 1])
    expect([106, 107, 108, 109].map((frame) => at(frame, none, fade).alpha)).toEqual([1, 0.75, 0.5, 0.25])
  })

  it('from where it is, if that is outside already', () => {
    const outside = (x: number, y: number) => ({ ...REST, x, y })
    const slide = (kind: PictureMove['kind'], rest: typeof REST) => at(10, { kind, frames: 3 }, none, rest)
    expect(slide('left', outside(-900, 0)).x).toBeCloseTo(0)
    expect(slide('right', outside(2000, 0)).x).toBeCloseTo(0)
    expect(slide('top', outside(0, -900)).y).toBeCloseTo(0)
    expect(slide('bottom', outside(0, 2000)).y).toBeCloseTo(0)
  })
})

it('is scaled about its middle and moved', () => {
  expect(placed(REST, { alpha: 1, scale: 0.5, x: 7, y: -9 })).toEqual({
    x: 207,
    y: 341,
    width: 200,
    height: 300,
  })
})
