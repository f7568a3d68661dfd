import { expect, it } from 'vitest'
import { parseMoment, parseSpan } from './arguments.ts'

it.each([
  ['15m', 900],
  ['1h', 3600],
  ['30d', 2_592_000],
  ['45', 45],
  ['2w', 1_209_600],
])('reads the span %s', (text, seconds) => {
  expect(parseSpan('ttl', text)).toBe(seconds)
})

it.each(['', '0m', '-5m', '1.5h', 'soon', '5 minutes'])('refuses the span "%s"', (text) => {
  expect(() => parseSpan('ttl', text)).toThrow(/--ttl is a span/)
})

it('reads moments as dates, times and spans from now', () => {
  expect(parseMoment('expires', '2027-01-31', 0)).toBe(Date.UTC(2027, 0, 31))
  expect(parseMoment('expires', '2027-01-31T12:00:00Z', 0)).toBe(Date.UTC(2027, 0, 31, 12))
  expect(parseMoment('expires', '1d', 1000)).toBe(86_401_000)
  expect(() => parseMoment('expires', 'tomorrow', 0)).toThrow(/--expires is a date/)
  expect(() => parseMoment('expires', '2027-13-45', 0)).toThrow(/--expires is a date/)
})
