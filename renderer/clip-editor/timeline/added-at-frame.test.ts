/** What is added at the playhead is drawn from the frame that is shown there on, neither earlier nor later. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Composition } from '../../../server/contract/composition.ts'
import { secondsToTicks } from '../../../server/contract/time.ts'
import { playedFrames } from '../../../server/contract/time-map/frames.ts'
import { buildTimeMap } from '../../../server/contract/time-map/spans.ts'
import { startOfFrame } from './automatic-zooms.ts'

const RATES = [
  { numerator: 24, denominator: 1 },
  { numerator: 25, denominator: 1 },
  { numerator: 30_000, denominator: 1001 },
  { numerator: 30, denominator: 1 },
  { numerator: 60_000, denominator: 1001 },
  { numerator: 60, denominator: 1 },
]

/** Cut pieces of a source, some of them faster or slower, as an editor leaves them. */
const pieces = fc
  .array(
    fc.record({
      gap: fc.constantFrom(0, 0.7, 3.217),
      length: fc.double({ min: 0.3, max: 6, noNaN: true }),
      playbackRate: fc.constantFrom(1, 1, 0.5, 1.25, 2),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) => {
    let at = 5.123
    return list.map(({ gap, length, playbackRate }) => {
      const start = at + gap
      at = start + length
      return { start, end: at, playbackRate }
    })
  })

/** Speeds that differ where they touch: both of them hold the same millisecond. */
const TOUCHING = [
  { start: 5.123, end: 6.68966666595805, playbackRate: 2 },
  { start: 6.68966666595805, end: 7.41666666595805, playbackRate: 1 },
]

it('is drawn at the frame that was shown', () => {
  fc.assert(
    fc.property(fc.constantFrom(...RATES), pieces, fc.nat(), (frameRate, ranges, seed) => {
      const { timeMap, durationFrames } = buildTimeMap(ranges, frameRate, secondsToTicks(3600))
      const composition = { timeMap, output: { width: 10, height: 10, frameRate } } as unknown as Composition
      const frame = seed % durationFrames
      const start = startOfFrame(composition, frame)
      // Pieces that touch at different speeds may share less than two frames of the source: the first of them has these.
      const moment = secondsToTicks(start)
      const millisecond = secondsToTicks(0.001)
      const holding = timeMap.filter(
        ({ sourceStart, sourceEnd }) =>
          sourceStart - millisecond <= moment && moment < sourceEnd - millisecond,
      )
      fc.pre(holding.length === 1)
      expect(playedFrames({ start, end: start + 3 }, timeMap)?.startFrame).toBe(frame)
    }),
    { numRuns: 2000, examples: [[RATES[3] ?? { numerator: 30, denominator: 1 }, TOUCHING, 1_409_563_489]] },
  )
})
