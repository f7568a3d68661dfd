/** Times as editors read them, and how long something still takes. PURE but for the language of the browser. */
import { run as runMessages, timeLeft as messages } from '../messages/home.ts'

/** `1:05.3`, and `2:03:05.3` from an hour on; tenths of a second only on request. */
export function clockTime(seconds: number, tenths = false): string {
  const whole = tenths ? Math.floor(seconds * 10) / 10 : Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  const rest = whole - minutes * 60
  const hours = Math.floor(minutes / 60)
  const before = hours === 0 ? String(minutes) : `${hours}:${String(minutes % 60).padStart(2, '0')}`
  return `${before}:${tenths ? rest.toFixed(1).padStart(4, '0') : String(rest).padStart(2, '0')}`
}

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const thisYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** `21 Nov 2026`, in this browser's time zone. */
export const dateText = (at: string): string => date.format(new Date(at))

/** The time alone for what was today, `21 Nov, 10:15` for what was this year, else the date. */
export function recentText(at: string, now = new Date()): string {
  const moment = new Date(at)
  if (moment.toDateString() === now.toDateString()) return clock.format(moment)
  return moment.getFullYear() === now.getFullYear() ? thisYear.format(moment) : date.format(moment)
}

/** `about 4 min` until then; null where nobody can tell when that is. It never says that it should be done by now. */
export function timeLeft(readyAt: string | null | undefined, now = Date.now()): string | null {
  if (readyAt === null || readyAt === undefined) return null
  const seconds = (new Date(readyAt).getTime() - now) / 1000
  if (seconds < 50) return messages.seconds(Math.max(10, Math.ceil(seconds / 10) * 10))
  if (seconds < 5400) return messages.minutes(Math.ceil(seconds / 60))
  return messages.hours(Math.round(seconds / 3600))
}

/** ` · about 4 min left`, to follow how far something is; empty where nobody can tell. */
export function leftText(readyAt: string | null | undefined): string {
  const left = timeLeft(readyAt)
  return left === null ? '' : runMessages.timeLeft(left)
}
