import { expect, it } from 'vitest'
import { secondsToTicks } from '../time.ts'
import { frameAt, playStep } from './play-position.ts'

/** 10 to 12 s, then 20 to 22 s at twice the speed, then half a second of card: 25 frames a second. */
const COMPOSITION = {
  output: { width: 10, height: 10, frameRate: { numerator: 25, denominator: 1 } },
  durationFrames: 88,
  tailFrames: 13,
  timeMap: [
    {
      startFrame: 0,
      endFrame: 50,
      sourceStart: secondsToTicks(10),
      sourceEnd: secondsToTicks(12),
      playbackRate: 1,
    },
    {
      startFrame: 50,
      endFrame: 75,
      sourceStart: secondsToTicks(20),
      sourceEnd: secondsToTicks(22),
      playbackRate: 2,
    },
  ],
}

it('shows the frame of the moment, jumps at the end of a stretch, and ends after the last', () => {
  expect(playStep(COMPOSITION, 10, 0)).toEqual({ kind: 'show', frame: 0, rate: 1 })
  expect(playStep(COMPOSITION, 11.02, 20)).toEqual({ kind: 'show', frame: 25, rate: 1 })
  expect(playStep(COMPOSITION, 12, 49)).toEqual({ kind: 'jump', seconds: 20, frame: 50 })
  expect(playStep(COMPOSITION, 21, 60)).toEqual({ kind: 'show', frame: 62, rate: 2 })
  expect(playStep(COMPOSITION, 22, 74)).toEqual({ kind: 'end' })
})

it('sends a player that is before its stretch to the beginning of it', () => {
  expect(playStep(COMPOSITION, 3, 0)).toEqual({ kind: 'jump', seconds: 10, frame: 0 })
})

it('plays on where two stretches touch', () => {
  const [first, second] = COMPOSITION.timeMap
  if (first === undefined || second === undefined) throw new Error('two stretches')
  const touching = { ...COMPOSITION, timeMap: [first, { ...second, sourceStart: secondsToTicks(12) }] }
  expect(playStep(touching, 12, 49)).toEqual({ kind: 'show', frame: 50, rate: 2 })
})

it.each([
  [0, 0],
  [10.5, 12],
  [15, 50],
  [21, 62],
  [99, 74],
])('finds the frame of second %d', (seconds, frame) => {
  expect(frameAt(COMPOSITION, seconds)).toBe(frame)
})
