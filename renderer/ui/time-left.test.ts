import { expect, it } from 'vitest'
import { timeLeft } from './time.ts'

const NOW = Date.parse('2026-11-28T10:00:00Z')
const inSeconds = (seconds: number) => timeLeft(new Date(NOW + seconds * 1000).toISOString(), NOW)

it('says how long it still takes, in tens of seconds, minutes or hours', () => {
  expect(inSeconds(7)).toBe('about 10 s')
  expect(inSeconds(41)).toBe('about 50 s')
  expect(inSeconds(110)).toBe('about 2 min')
  expect(inSeconds(4 * 3600)).toBe('about 4 h')
})

it('says ten seconds of what should be done by now, and nothing of what nobody can tell', () => {
  expect(inSeconds(-60)).toBe('about 10 s')
  expect(timeLeft(undefined, NOW)).toBeNull()
})
