/** What keys and grants may do and when they end, in words. PURE. */
import { SCOPES, type Scopes } from '../../server/contract/scopes.ts'
import { end as endMessages, scopes as messages } from '../messages/scopes.ts'
import { whenText } from './words.ts'

const DAY = 86_400_000
/** An end that is nearer than this is shown as one. */
const SOON_DAYS = 14

/** `Look, start runs`; null where nobody said: everything. */
export function scopesText(scopes: Scopes): string | null {
  if (scopes === null) return null
  const [first = '', ...more] = SCOPES.filter((one) => scopes.includes(one)).map((one) => messages.names[one])
  return [first, ...more.map((name) => name.slice(0, 1).toLowerCase() + name.slice(1))].join(', ')
}

interface End {
  readonly text: string
  /** Null: there is nothing to mind. */
  readonly badge: 'bad' | 'plain' | null
}

/** When something ends, as seen at `now`. */
export function endOf(expiresAt: string | null, now: number): End {
  if (expiresAt === null) return { text: endMessages.never, badge: null }
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return { text: endMessages.ended, badge: 'bad' }
  if (left < DAY) return { text: endMessages.today, badge: 'bad' }
  const days = Math.ceil(left / DAY)
  return days > SOON_DAYS
    ? { text: whenText(expiresAt), badge: null }
    : { text: endMessages.soon(days), badge: 'plain' }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** `2027-01-31`, as this browser's calendar has it a day after `now`: what a date field takes. */
export function dayAfter(now: number): string {
  const day = new Date(now)
  day.setDate(day.getDate() + 1)
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`
}

/** The moment at which a day of this browser's calendar is over. */
export function endOfDay(date: string): string {
  const end = new Date(`${date}T00:00:00`)
  end.setDate(end.getDate() + 1)
  return end.toISOString()
}
