import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameToTicks, secondsToTicks, TICKS_PER_SECOND, type Rational } from '../time.ts'
import { listPlayedRanges } from './clip-times.ts'
import { outputFrame } from './frames.ts'
import { buildTimeMap, requirePlayed, type PlayedRange } from './spans.ts'

const rates: Rational[] = [
  { numerator: 24000, denominator: 1001 },
  { numerator: 25, denominator: 1 },
  { numerator: 30000, denominator: 1001 },
  { numerator: 30, denominator: 1 },
  { numerator: 60000, denominator: 1001 },
]
const DURATION = 300
const seconds = (max: number) => fc.double({ min: 0, max, noNaN: true })
const ranges = fc
  .array(
    fc.tuple(
      seconds(20),
      fc.double({ min: 0.2, max: 30, noNaN: true }),
      fc.constantFrom(1, 1, 1, 0.25, 0.5, 1.37, 2, 4),
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => {
    let at = 0
    return parts.map(([gap, length, playbackRate]): PlayedRange => {
      const start = at + gap
      at = start + length
      return { start, end: at, playbackRate }
    })
  })

describe('buildTimeMap', () => {
  it('is without gaps, in whole frames, inside the source and within half a frame of the ranges', () => {
    fc.assert(
      fc.property(ranges, fc.constantFrom(...rates), (kept, rate) => {
        const duration = secondsToTicks(DURATION)
        const inside = kept.filter((range) => range.end <= DURATION)
        fc.pre(inside.length > 0)
        const { timeMap, durationFrames } = buildTimeMap(inside, rate, duration)
        const frame = frameToTicks(1, rate)
        let next = 0
        let sourceAt = -1
        for (const span of timeMap) {
          expect(span.startFrame).toBe(next)
          expect(span.endFrame).toBeGreaterThan(span.startFrame)
          expect(span.sourceStart).toBeGreaterThanOrEqual(0)
          expect(span.sourceEnd).toBeLessThanOrEqual(duration)
          for (const tick of [span.sourceStart, span.sourceEnd]) expect(Number.isSafeInteger(tick)).toBe(true)
          expect(span.sourceStart).toBeGreaterThanOrEqual(sourceAt - 4 * frame)
          const frames = span.endFrame - span.startFrame
          const length = (span.sourceEnd - span.sourceStart) / span.playbackRate
          expect(Math.abs(length - frames * frame)).toBeLessThanOrEqual(frames + 2)
          const range = inside.find(
            (entry) => Math.abs(secondsToTicks(entry.start) - span.sourceStart) <= frame / 2 + 1,
          )
          expect(range).toBeDefined()
          next = span.endFrame
          sourceAt = span.sourceEnd
        }
        expect(durationFrames).toBe(next)
        const wanted = inside.reduce((sum, range) => sum + (range.end - range.start) / range.playbackRate, 0)
        const tolerance = (inside.length * 1.02 * frame) / TICKS_PER_SECOND
        expect(Math.abs((durationFrames * frame) / TICKS_PER_SECOND - wanted)).toBeLessThanOrEqual(tolerance)
      }),
      { numRuns: 500 },
    )
  })

  it('sits exactly on frames and joins ranges that touch', () => {
    const rate = { numerator: 30000, denominator: 1001 }
    const kept = [
      { start: 10, end: 12, playbackRate: 1 },
      { start: 12, end: 13, playbackRate: 1 },
      { start: 20, end: 21, playbackRate: 1 },
    ]
    const { timeMap, durationFrames } = buildTimeMap(kept, rate, secondsToTicks(60))
    expect(timeMap.map(({ startFrame, endFrame }) => [startFrame, endFrame])).toEqual([
      [0, 90],
      [90, 120],
    ])
    expect(timeMap[0]?.sourceStart).toBe(frameToTicks(300, rate))
    expect(timeMap[0]?.sourceEnd).toBe(frameToTicks(390, rate))
    expect(durationFrames).toBe(120)
  })

  it('plays twice as fast in half the frames', () => {
    const kept = [{ start: 4, end: 8, playbackRate: 2 }]
    const { timeMap } = buildTimeMap(kept, { numerator: 25, denominator: 1 }, secondsToTicks(60))
    expect(timeMap).toEqual([
      {
        startFrame: 0,
        endFrame: 50,
        sourceStart: secondsToTicks(4),
        sourceEnd: secondsToTicks(8),
        playbackRate: 2,
      },
    ])
  })

  it('never reads past the end of the source', () => {
    const kept = [{ start: 9, end: 10.02, playbackRate: 1 }]
    const { timeMap } = buildTimeMap(kept, { numerator: 25, denominator: 1 }, secondsToTicks(10.02))
    expect(timeMap[0]?.sourceEnd).toBe(secondsToTicks(10))
  })

  it('refuses a clip with nothing in it', () => {
    const none = buildTimeMap([], { numerator: 25, denominator: 1 }, secondsToTicks(10))
    expect(() => requirePlayed(none)).toThrow(/shorter than one frame/)
    const sliver = [{ start: 1, end: 1.001, playbackRate: 1 }]
    const short = buildTimeMap(sliver, { numerator: 25, denominator: 1 }, secondsToTicks(10))
    expect(() => requirePlayed(short)).toThrow(/shorter than one frame/)
  })
})

describe('listPlayedRanges', () => {
  const clip = { startTimestamp: 100, endTimestamp: 130, segments: [] }
  it('is the whole clip when untrimmed, clamped to the source', () => {
    expect(listPlayedRanges(clip, 600)).toEqual([{ start: 100, end: 130, playbackRate: 1 }])
    expect(listPlayedRanges(clip, 120)).toEqual([{ start: 100, end: 120, playbackRate: 1 }])
    expect(listPlayedRanges({ ...clip, startTimestamp: -3 }, 120)[0]?.start).toBe(0)
  })

  it('counts segments from the start of the clip, in order, with their speed', () => {
    const segments = [
      { startSeconds: 20, endSeconds: 40 },
      { startSeconds: 0, endSeconds: 5, playbackRate: 1.5 },
    ]
    expect(listPlayedRanges({ ...clip, segments }, 600)).toEqual([
      { start: 100, end: 105, playbackRate: 1.5 },
      { start: 120, end: 130, playbackRate: 1 },
    ])
  })
})

it('finds the output frame of a source moment, and nothing for what is cut', () => {
  const kept = [
    { start: 0, end: 1, playbackRate: 1 },
    { start: 2, end: 4, playbackRate: 2 },
  ]
  const { timeMap } = buildTimeMap(kept, { numerator: 30, denominator: 1 }, secondsToTicks(10))
  expect(outputFrame(timeMap, secondsToTicks(0.5))?.frame).toBe(15)
  expect(outputFrame(timeMap, secondsToTicks(3))?.frame).toBe(45)
  expect(outputFrame(timeMap, secondsToTicks(1.5))).toBeNull()
})
