/** PURE: dates and times that callers send, and are sent. */

/** Epoch milliseconds as ISO 8601. */
export const iso = (time: number): string => new Date(time).toISOString()
export const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time))

const DAY = String.raw`(\d{4})-(\d{2})-(\d{2})`
const TIME = String.raw`(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?`
// A plus sign that was not encoded arrives as a space.
const OFFSET = String.raw`(Z|[+\- ]\d{2}(?::?\d{2})?)?`
const MOMENT = new RegExp(`^${DAY}(?:T${TIME}${OFFSET})?$`, 'i')

const DAY_MS = 86_400_000
/** After it a year has more than four digits, and an answer would not be a date any more. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Epoch milliseconds of an ISO-8601 date or datetime; UTC without an offset. A date alone means its first moment, or
 * its last one with `end`. Null for other text, a day that does not exist, or after the year 9999 in UTC.
 */
export function parseMoment(text: string, edge: 'start' | 'end'): number | null {
  const found = MOMENT.exec(text)
  if (found === null) return null
  const [year = 0, month = 0, day = 0] = found.slice(1, 4).map(Number)
  const midnight = Date.UTC(year, month - 1, day)
  const made = new Date(midnight)
  // Date.UTC takes years below 100 for 19xx.
  if (made.getUTCFullYear() !== year || made.getUTCMonth() !== month - 1 || made.getUTCDate() !== day)
    return null
  if (found[4] === undefined) return edge === 'start' ? midnight : midnight + DAY_MS - 1
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(4, 7).map((part) => Number(part ?? 0))
  if (hours > 23 || minutes > 59 || seconds > 59) return null
  const milliseconds = Math.floor(Number(`0.${found[7] ?? '0'}`) * 1000)
  const offset = offsetMinutes(found[8] ?? 'Z')
  if (offset === null) return null
  const moment = midnight + ((hours * 60 + minutes - offset) * 60 + seconds) * 1000 + milliseconds
  return moment > LAST_MOMENT ? null : moment
}

function offsetMinutes(text: string): number | null {
  if (text.toUpperCase() === 'Z') return 0
  const digits = text.slice(1).replace(':', '')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2) || '0')
  if (hours > 23 || minutes > 59) return null
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
