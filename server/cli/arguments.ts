/** What people type as arguments and options: moments, spans, choices, sources, folders. */
import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../contract/errors.ts'
import type { RunSource } from '../contract/run.ts'
import { localFileSource } from '../domain/runs/start-run.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** `15m`, `1h`, `30d`, or bare seconds, as seconds. INVALID_USAGE names the option. */
export function parseSpan(option: string, text: string): number {
  const [, amount = '', unit = 's'] = /^(\d{1,9})([smhdw]?)$/.exec(text.trim()) ?? []
  const seconds = Number(amount) * (UNITS[unit === '' ? 's' : unit] ?? 1)
  if (amount !== '' && seconds > 0) return seconds
  throw new AppError('INVALID_USAGE', `--${option} is a span such as 45s, 15m, 12h or 30d.`)
}

/** A date, or a date and time, as epoch milliseconds; NaN: it is neither. */
const dateOf = (text: string): number =>
  /^\d{4}-\d{2}-\d{2}/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN

/** A moment that has been: a date, or a date and time, as epoch milliseconds. INVALID_USAGE names the option. */
export function parseDate(option: string, text: string): number {
  const time = dateOf(text)
  if (!Number.isNaN(time)) return time
  throw new AppError(
    'INVALID_USAGE',
    `--${option} is a date (2026-11-28) or a date and time (2026-11-28T05:00Z).`,
  )
}

/** A date, a date and time, or a span from now (`90d`), as epoch milliseconds. INVALID_USAGE names the option. */
export function parseMoment(option: string, text: string, now: number): number {
  if (/^\d{1,9}[smhdw]$/.test(text.trim())) return now + parseSpan(option, text) * 1000
  const time = dateOf(text)
  if (!Number.isNaN(time)) return time
  const message = `--${option} is a date (2027-01-31), a date and time (2027-01-31T12:00:00Z) or a span from now (90d).`
  throw new AppError('INVALID_USAGE', message)
}

/** One of `choices`, or undefined when the option was not given. Throws INVALID_USAGE: `RULE one of A, B.` */
export function parseChoice<Choice extends string>(
  text: string | undefined,
  choices: readonly Choice[],
  rule: string,
): Choice | undefined {
  const found = choices.find((choice) => choice === text)
  if (text !== undefined && found === undefined)
    throw new AppError('INVALID_USAGE', `${rule} one of ${choices.join(', ')}.`)
  return found
}

/** URL_OR_FILE: an address when it has a scheme, else a file on this machine, which must be there (INVALID_REQUEST). */
export function parseSource(given: string): RunSource {
  if (given === '') throw new AppError('INVALID_USAGE', 'URL_OR_FILE is empty.')
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? { kind: 'url', url: given } : localFileSource(given)
}

/**
 * The folder that finished clips are copied to: its whole path. Tried before minutes of work begin. Throws INVALID_REQUEST where nothing can be
 * written.
 */
export async function prepareOutFolder(given: string): Promise<string> {
  const folder = resolve(given)
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
    return folder
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('INVALID_REQUEST', {
      message: `Clips cannot be copied to ${folder}: ${why}. Name another folder with --out.`,
      cause,
    })
  }
}

/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * Builds a file name such as `02-why-nobody-reads-manuals.mp4`: the rank first, so that a folder lists clips by score.
 * Letters and digits of any script stay, everything else becomes a dash; at most 60 characters of the title, to fit
 * every file system.
 */
export function clipFileName(place: number, title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const short = [...words]
    .slice(0, 60)
    .join('')
    .replace(/^-+|-+$/g, '')
  const safe = short === '' || RESERVED.test(short) ? 'clip' : short
  return `${String(place).padStart(2, '0')}-${safe}.mp4`
}
