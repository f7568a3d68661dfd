import { describe, expect, it } from 'vitest'
import { dayKey, fieldMoment, fieldValue, onDay, plusDays, turn, weeksOf } from './days.ts'

describe('the calendar', () => {
  it.each([
    // From a Monday to a Sunday: exactly four weeks.
    [new Date(2027, 1, 14), 'month', 4, '2027-02-01', '2027-02-28'],
    [new Date(2026, 10, 21), 'month', 6, '2026-10-26', '2026-12-06'],
    [new Date(2026, 10, 22), 'week', 1, '2026-11-16', '2026-11-22'],
    [new Date(2026, 10, 16), 'week', 1, '2026-11-16', '2026-11-22'],
  ] as const)('of %s by %s has whole weeks', (day, span, count, first, last) => {
    const weeks = weeksOf(day, span)
    expect(weeks.map((week) => week.length)).toEqual(Array.from({ length: count }, () => 7))
    expect([dayKey(weeks[0]?.[0] as Date), dayKey(weeks.at(-1)?.[6] as Date)]).toEqual([first, last])
    expect(weeks.flat().every((one) => one.getHours() === 0)).toBe(true)
  })

  it('has every day once, over years and changes of the clock', () => {
    for (let month = 0; month < 48; month += 1) {
      const days = weeksOf(new Date(2026, month, 10), 'month')
        .flat()
        .map(dayKey)
      expect(new Set(days).size).toBe(days.length)
      expect(days.length).toBeLessThanOrEqual(42)
    }
  })

  it('turns from the last of a month to the next month, not to the one after', () => {
    expect(dayKey(turn(new Date(2026, 0, 31), 'month', 1))).toBe('2026-02-01')
    expect(dayKey(turn(new Date(2026, 0, 31), 'month', -1))).toBe('2025-12-01')
    expect(dayKey(turn(new Date(2026, 0, 31), 'week', 1))).toBe('2026-02-07')
  })

  it('moves a post to another day at its own time', () => {
    const moment = new Date(2026, 2, 27, 18, 45)
    expect(fieldValue(onDay(moment, new Date(2026, 2, 30)))).toBe('2026-03-30T18:45')
    expect(fieldValue(plusDays(moment, 7))).toBe('2026-04-03T18:45')
    expect(fieldMoment(fieldValue(moment))?.getTime()).toBe(moment.getTime())
    expect(fieldMoment('')).toBeNull()
  })
})
