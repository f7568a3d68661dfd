/** Moments and spans as people type them. */
import { AppError } from '../contract/errors.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** `15m`, `1h`, `30d`, or bare seconds, as seconds. INVALID_USAGE names the option. */
export function parseSpan(option: string, text: string): number {
  const [, amount = '', unit = 's'] = /^(\d{1,9})([smhdw]?)$/.exec(text.trim()) ?? []
  const seconds = Number(amount) * (UNITS[unit === '' ? 's' : unit] ?? 1)
  if (amount !== '' && seconds > 0) return seconds
  throw new AppError('INVALID_USAGE', { message: `--${option} is a span such as 45s, 15m, 12h or 30d.` })
}

/** A date, a date and time, or a span from now (`90d`), as epoch milliseconds. INVALID_USAGE names the option. */
export function parseMoment(option: string, text: string, now: number): number {
  if (/^\d{1,9}[smhdw]$/.test(text.trim())) return now + parseSpan(option, text) * 1000
  const time = /^\d{4}-\d{2}-\d{2}/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN
  if (!Number.isNaN(time)) return time
  const message = `--${option} is a date (2027-01-31), a date and time (2027-01-31T12:00:00Z) or a span from now (90d).`
  throw new AppError('INVALID_USAGE', { message })
}
