import { describe, expect, it } from 'vitest'
import { AT_REST, emphasisAt, poseAt, REACH, type Entrance } from './motion.ts'

describe('emphasisAt', () => {
  it('is there on the first frame and gone on the first frame after, without a transition', () => {
    expect([9, 10, 14, 15].map((frame) => emphasisAt(frame, 10, 15, 0))).toEqual([0, 1, 1, 0])
  })

  it('rises from its first frame on and falls after its end', () => {
    const values = Array.from({ length: 12 }, (_, frame) => emphasisAt(frame, 2, 8, 3))
    expect(values[1]).toBe(0)
    expect(values[2]).toBeGreaterThan(0.5)
    expect(values[5]).toBe(1)
    expect(values[7]).toBe(1)
    expect(values[8]).toBeLessThan(0.5)
    expect(values[11]).toBe(0)
  })
})

describe('the curve of an emphasis', () => {
  // Cubic: what is left to go is the cube of the share of time that is left.
  it.each([
    [10, 0.578125],
    [11, 0.875],
    [12, 0.984375],
    [13, 1],
    [19, 1],
    [20, 0.421875],
    [21, 0.125],
    [22, 0.015625],
    [23, 0],
  ])('is at frame %i of a word from 10 to 20 with three frames between: %f', (frame, value) => {
    expect(emphasisAt(frame, 10, 20, 3)).toBeCloseTo(value, 9)
  })

  it('of a short word falls from as far as it has come', () => {
    expect(emphasisAt(11, 10, 11, 9)).toBeCloseTo(1 - 0.8 ** 3, 9)
  })
})

describe('entrances at 30 frames a second', () => {
  it.each<[Entrance, number, number, number, number]>([
    // 5 frames: a sixth of the way on the first.
    ['fade', 0, 1 - (5 / 6) ** 3, 1, 0],
    ['fade', 2, 0.875, 1, 0],
    // 7 frames.
    ['slide', 0, 1 - (7 / 8) ** 3, 1, 0.55 * (7 / 8) ** 3],
    ['slide', 3, 0.875, 1, 0.55 / 8],
    // 6 frames; up to 1.07 in 0.4 of them, then half a swing.
    ['pop', 0, 3 / 7, 0.992955, 0],
    ['pop', 3, 1, 1.032178, 0],
    // 13 frames; up to 1.14, then one and a half.
    ['bounce', 0, 4 / 14, 0.840702, 0],
    ['bounce', 6, 1, 1.068746, 0],
  ])('%s, frame %i', (entrance, frame, alpha, scale, shift) => {
    const pose = poseAt(entrance, frame, 30)
    expect(pose.alpha).toBeCloseTo(alpha, 6)
    expect(pose.scale).toBeCloseTo(scale, 5)
    expect(pose.shift).toBeCloseTo(shift, 6)
  })

  it('last 5, 6, 13 and 7 frames, none at all and at least one', () => {
    const moving = (entrance: Entrance, fps: number) =>
      Array.from({ length: 30 }, (_, frame) => poseAt(entrance, frame, fps)).filter(
        (pose) => pose !== AT_REST,
      ).length
    const entrances: Entrance[] = ['none', 'fade', 'pop', 'bounce', 'slide']
    expect(entrances.map((entrance) => moving(entrance, 30))).toEqual([0, 5, 6, 13, 7])
    expect(moving('fade', 1)).toBe(1)
  })
})

describe('poseAt', () => {
  const entrances: Entrance[] = ['none', 'fade', 'pop', 'bounce', 'slide']
  it.each(entrances)('%s shows something at once, stays within its reach and comes to rest', (entrance) => {
    for (const fps of [24, 30, 60]) {
      for (let frame = 0; frame < fps; frame++) {
        const pose = poseAt(entrance, frame, fps)
        expect(pose.alpha).toBeGreaterThan(0)
        expect(pose.alpha).toBeLessThanOrEqual(1)
        expect(pose.scale).toBeLessThanOrEqual(REACH[entrance].scale + 1e-9)
        expect(pose.shift).toBeLessThanOrEqual(REACH[entrance].shift)
      }
      expect(poseAt(entrance, Math.ceil(fps / 2), fps)).toEqual(AT_REST)
    }
  })

  it('pops past its size before it settles', () => {
    const scales = Array.from({ length: 8 }, (_, frame) => poseAt('pop', frame, 30).scale)
    expect(Math.max(...scales)).toBeGreaterThan(1.02)
    expect(scales[0]).toBeLessThan(1)
  })
})
