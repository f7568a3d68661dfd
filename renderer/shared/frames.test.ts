import { describe, expect, it } from 'vitest'
import { frameAt, frameText, timeOf } from './frames.ts'

describe('frames', () => {
  it('are the same there and back, at every usual rate', () => {
    for (const rate of [23.976, 24, 25, 29.97, 30, 50, 59.94, 60])
      for (const frame of [0, 1, 2, 7, 100, 1799, 100_000])
        expect(frameAt(timeOf(frame, rate), rate)).toBe(frame)
  })

  it('begin where the one before ends, whatever a browser rounds', () => {
    expect(frameAt(1 / 25 - 1e-4, 25)).toBe(1)
    expect(frameAt(0.0399, 25)).toBe(1)
    expect(frameAt(0.039, 25)).toBe(0)
    expect(frameAt(-0.1, 25)).toBe(0)
  })

  it('are read as minutes, seconds and frames', () => {
    expect(frameText(0, 25)).toBe('0:00:00')
    expect(frameText(64 * 25 + 9, 25)).toBe('1:04:09')
    expect(frameText(30, 29.97)).toBe('0:01:00')
  })
})
