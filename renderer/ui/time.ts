/** Times as editors read them, and how long something still takes. PURE but for the language of the browser. */
import { timeLeft as messages } from '../messages/home.ts'

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

interface Seen {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** 0 to 1. */
  readonly progress: number
}

export interface Pace {
  readonly first: Seen | null
  readonly last: Seen | null
}

export const PACE_UNKNOWN: Pace = { first: null, last: null }

/** Less progress than this gives no estimate: stages begin with a jump. */
const MIN_PROGRESS = 0.03
const MIN_MS = 5000

/** Adds an observation. Progress that falls starts over. */
export function observed({ first, last }: Pace, seen: Seen): Pace {
  if (first === null || (last !== null && seen.progress < last.progress)) return { first: seen, last: seen }
  return { first, last: seen }
}

/** `about 4 min`; null while there is too little to judge by. */
export function timeLeft({ first, last }: Pace): string | null {
  if (first === null || last === null) return null
  const done = last.progress - first.progress
  const took = last.at - first.at
  if (done < MIN_PROGRESS || took < MIN_MS || last.progress >= 1) return null
  const seconds = ((1 - last.progress) * took) / done / 1000
  if (seconds < 50) return messages.seconds(Math.max(10, Math.ceil(seconds / 10) * 10))
  if (seconds < 5400) return messages.minutes(Math.ceil(seconds / 60))
  return messages.hours(Math.round(seconds / 3600))
}
