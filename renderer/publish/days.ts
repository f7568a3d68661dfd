/** Days of the calendar in the browser's time zone. Weeks begin on Monday. PURE. */

export type Span = 'month' | 'week'

const atMidnight = (date: Date): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate())

/** `days` later (earlier below 0) at the same time of day, across changes of summer time. */
export const plusDays = (date: Date, days: number): Date =>
  new Date(
    date.getFullYear(),
    date.getMonth(),
    date.getDate() + days,
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
    date.getMilliseconds(),
  )

/** `2026-11-21` */
export const dayKey = (date: Date): string =>
  [
    date.getFullYear(),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-')

const mondayOf = (date: Date): Date => plusDays(atMidnight(date), -((date.getDay() + 6) % 7))

/** The week of the day, or all weeks that its month touches. Every day at midnight. */
export function weeksOf(date: Date, span: Span): Date[][] {
  const first = mondayOf(span === 'week' ? date : new Date(date.getFullYear(), date.getMonth(), 1))
  const last = span === 'week' ? first : new Date(date.getFullYear(), date.getMonth() + 1, 0)
  const weeks: Date[][] = []
  for (let monday = first; monday <= last; monday = plusDays(monday, 7))
    weeks.push(Array.from({ length: 7 }, (_, index) => plusDays(monday, index)))
  return weeks
}

/** A day of the month or week after (1) or before (-1). */
export const turn = (date: Date, span: Span, by: 1 | -1): Date =>
  span === 'week' ? plusDays(date, 7 * by) : new Date(date.getFullYear(), date.getMonth() + by, 1)

/** That time of day on another day. */
export const onDay = (moment: Date, day: Date): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate(), moment.getHours(), moment.getMinutes())

/** What a datetime-local field takes: `2026-11-21T10:15`. */
export const fieldValue = (date: Date): string =>
  `${dayKey(date)}T${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`

/** The moment in a datetime-local field; null when it is invalid. */
export function fieldMoment(value: string): Date | null {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}
