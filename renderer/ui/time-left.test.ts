import { expect, it } from 'vitest'
import { observed, PACE_UNKNOWN, timeLeft, type Pace } from './time.ts'

const seen = (...looks: readonly (readonly [seconds: number, progress: number])[]): Pace =>
  looks.reduce((pace, [at, progress]) => observed(pace, { at: at * 1000, progress }), PACE_UNKNOWN)

it('says how long it still takes once enough was seen', () => {
  expect(timeLeft(seen([0, 0.1]))).toBeNull()
  expect(timeLeft(seen([0, 0.1], [60, 0.11]))).toBeNull()
  expect(timeLeft(seen([0, 0.1], [60, 0.4]))).toBe('about 2 min')
  expect(timeLeft(seen([0, 0.5], [30, 0.9]))).toBe('about 10 s')
  expect(timeLeft(seen([0, 0], [3600, 0.2]))).toBe('about 4 h')
  expect(timeLeft(seen([0, 0.1], [60, 1]))).toBeNull()
})

it('begins anew where progress goes back: a run that was resumed', () => {
  expect(timeLeft(seen([0, 0.1], [60, 0.9], [61, 0.2], [91, 0.5]))).toBe('about 1 min')
})
