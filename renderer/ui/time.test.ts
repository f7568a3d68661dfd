import { expect, it } from 'vitest'
import { clockTime } from './time.ts'

it('writes times', () => {
  expect([0, 9.6, 65, 3599].map((seconds) => clockTime(seconds))).toEqual(['0:00', '0:10', '1:05', '59:59'])
  expect([0, 9.96, 65.25].map((seconds) => clockTime(seconds, true))).toEqual(['0:00.0', '0:09.9', '1:05.2'])
})

it('counts hours of long sources', () => {
  expect([3599.7, 3600, 7380, 36_061].map((seconds) => clockTime(seconds))).toEqual([
    '1:00:00',
    '1:00:00',
    '2:03:00',
    '10:01:01',
  ])
  expect(clockTime(7380.55, true)).toBe('2:03:00.5')
})
