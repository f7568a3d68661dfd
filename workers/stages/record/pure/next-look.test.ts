import { expect, it } from 'vitest'
import { silenceAllowed, secondsUntilReload, type SinceLastReload } from '../hls.ts'

const usual: SinceLastReload = {
  hasNew: true,
  targetSeconds: 6,
  passedSeconds: 0.5,
  patienceSeconds: 60,
  lengthSeconds: 3600,
}

it.each<[string, Partial<SinceLastReload>, number]>([
  ['a target after the last look', {}, 5.5],
  ['half of one after a look in vain', { hasNew: false }, 2.5],
  ['at once after a look that took longer', { passedSeconds: 8 }, 0],
  ['a little for who names no target', { targetSeconds: 0, passedSeconds: 0.04 }, 0.06],
  ['30 s for who names days', { targetSeconds: 2_000_000 }, 30],
  ['30 s for what a timer takes for nothing', { targetSeconds: 2 ** 31 }, 30],
  ['30 s for no number', { targetSeconds: Infinity }, 30],
  ['what is left until it has stalled', { targetSeconds: 600, patienceSeconds: 12 }, 12],
  ['no less than nothing when it is about to stall', { patienceSeconds: -1 }, 0],
  ['what is left of its length', { targetSeconds: 600, lengthSeconds: 9 }, 9],
  ['a second for the last of its length', { targetSeconds: 600, lengthSeconds: 0.01 }, 1],
])('waits %s', (_what, change, seconds) => {
  expect(secondsUntilReload({ ...usual, ...change })).toBeCloseTo(seconds, 6)
})

it.each([
  [60, 6, 60],
  [5, 6, 9],
  [5, 0, 5],
  [5, 30, 45],
  [5, 31, 5],
  [5, Infinity, 5],
])('a stall of %d s is, with segments of %d s, one of %d s', (stall, target, seconds) => {
  expect(silenceAllowed(stall, target)).toBe(seconds)
})
