import { expect, it } from 'vitest'
import { dayAfter, endOf, endOfDay, scopesText } from './scopes.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-24T12:00:00Z')
const inDays = (days: number): string => new Date(NOW + days * DAY).toISOString()

it('names what a key may do in the order of the list, and nothing where nobody said', () => {
  expect(scopesText(['render', 'read'])).toBe('Look, render')
  expect(scopesText(null)).toBeNull()
})

it.each([
  [-1, 'Ended', 'bad'],
  [0, 'Ended', 'bad'],
  [0.5, 'Ends within a day', 'bad'],
  [1, 'Ends in 1 day', 'plain'],
  [2.2, 'Ends in 3 days', 'plain'],
  [14, 'Ends in 14 days', 'plain'],
])('an end in %d days is "%s"', (days, text, badge) =>
  expect(endOf(inDays(days), NOW)).toEqual({ text, badge }),
)

it('shows the moment of an end that is far away, and says when there is none', () => {
  expect(endOf(inDays(60), NOW)).toMatchObject({
    badge: null,
    text: expect.stringContaining('2027') as string,
  })
  expect(endOf(null, NOW)).toEqual({ text: 'Never', badge: null })
})

it('a day that is chosen counts to its end', () => {
  const tomorrow = dayAfter(NOW)
  expect(tomorrow).toMatch(/^2026-11-2[56]$/)
  expect(new Date(endOfDay(tomorrow)).getTime() - new Date(`${tomorrow}T00:00:00`).getTime()).toBe(DAY)
})
