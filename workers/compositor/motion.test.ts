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
