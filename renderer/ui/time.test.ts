import { expect, it } from 'vitest'
import { clockTime } from './time.ts'

it('writes times', () => {
  expect([0, 9.6, 65, 3600].map((seconds) => clockTime(seconds))).toEqual(['0:00', '0:10', '1:05', '60:00'])
  expect([0, 9.96, 65.25].map((seconds) => clockTime(seconds, true))).toEqual(['0:00.0', '0:09.9', '1:05.2'])
})
