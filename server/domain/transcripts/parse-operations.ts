/** PURE: the operations of a transcript patch as a caller sends them, each held against the rules. */
import { AppError } from '../../contract/errors.ts'

interface Common {
  /** Place in the request. */
  readonly position: number
  /** Empty removes the span from the captions. */
  readonly to: string
}

export type TranscriptOperation = Common &
  (
    | { readonly by: 'text'; readonly from: readonly Token[]; readonly matchCase: boolean }
    /** Source seconds. */
    | { readonly by: 'time'; readonly start: number; readonly end: number }
    | { readonly by: 'index'; readonly index: number }
  )

export interface ParsedOperations {
  readonly operations: TranscriptOperation[]
  /** One sentence for each operation that was left out, and for each field that is not known. */
  readonly warnings: string[]
}

const FIELDS: ReadonlySet<string> = new Set([
  'to',
  'replacement',
  'from',
  'matchCase',
  'start',
  'end',
  'index',
])

/** Throws INVALID_OPERATIONS when they are missing or empty, or when not one of them is valid. */
export function parseOperations(given: unknown): ParsedOperations {
  if (!Array.isArray(given) || given.length === 0)
    throw new AppError('INVALID_OPERATIONS', {
      message: '"operations" should be a list of at least one operation.',
      details: { field: 'operations', expected: 'a list of at least one operation' },
    })
  const operations: TranscriptOperation[] = []
  const problems: string[] = []
  const warnings: string[] = []
  for (const [position, value] of (given as unknown[]).entries()) {
    const name = `operations[${position}]`
    const parsed = parseOne(value, position)
    if (typeof parsed === 'string') {
      problems.push(`${name}: ${parsed}`)
      warnings.push(`${name} was left out: ${parsed}`)
      continue
    }
    operations.push(parsed)
    const unknown = Object.keys(value as object).filter((field) => !FIELDS.has(field))
    if (unknown.length > 0) warnings.push(`${name}: ${quoted(unknown)} is not known and was ignored.`)
  }
  if (operations.length === 0)
    throw new AppError('INVALID_OPERATIONS', {
      message: `No operation is valid. ${problems[0] ?? ''}`,
      details: { field: 'operations', problems: problems.slice(0, 100) },
    })
  return { operations, warnings }
}

const quoted = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .join(', ')

/** The operation, or a sentence about what is wrong with it. */
function parseOne(value: unknown, position: number): TranscriptOperation | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it should be an object.'
  const field = (name: string): unknown =>
    Object.hasOwn(value, name) ? ((value as Record<string, unknown>)[name] ?? undefined) : undefined
  const given = field('to') ?? field('replacement')
  if (typeof given !== 'string') return '"to" should be a string.'
  const common = { position, to: oneLine(given) }
  const from = field('from')
  const start = field('start')
  const end = field('end')
  const index = field('index')
  const modes = [from !== undefined, start !== undefined || end !== undefined, index !== undefined]
  const count = modes.filter(Boolean).length
  if (count === 0) return 'it names no words: give "from", or "start" and "end", or "index".'
  if (count > 1) return 'it names words in more than one way: give "from", or "start" and "end", or "index".'
  if (from !== undefined) return byText(common, from, field('matchCase'))
  if (index !== undefined)
    return Number.isSafeInteger(index) && (index as number) >= 0
      ? { ...common, by: 'index', index: index as number }
      : '"index" should be a whole number of at least 0.'
  if (!Number.isFinite(start) || !Number.isFinite(end)) return '"start" and "end" should both be numbers.'
  if ((start as number) > (end as number)) return '"start" should not be after "end".'
  return { ...common, by: 'time', start: start as number, end: end as number }
}

function byText(common: Common, from: unknown, matchCase: unknown): TranscriptOperation | string {
  const tokens = typeof from === 'string' ? tokensOf(oneLine(from)) : []
  if (tokens.length === 0) return '"from" should be a string of at least one word.'
  if (matchCase !== undefined && typeof matchCase !== 'boolean') return '"matchCase" should be true or false.'
  return { ...common, by: 'text', from: tokens, matchCase: matchCase === true }
}

/** Captions are drawn on lines of our own: no line breaks, control characters or halves of characters. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** PURE: the words inside a piece of text, as they are compared: without the punctuation around them. */

export interface Token {
  readonly text: string
  /** Punctuation before and after. */
  readonly lead: string
  readonly trail: string
  /** The word itself; apostrophes straight, accents composed. */
  readonly core: string
  /** The same without regard to case. */
  readonly folded: string
}

/** Punctuation around words. Signs that are part of a name are not: C#, @home, AT&T, 50%. */
const AROUND = String.raw`(?:(?![#@&%*/\\_])[\p{P}\p{So}])`
const PARTS = new RegExp(`^(${AROUND}*)(.*?)(${AROUND}*)$`, 'su')

/** Splits at white space. A piece that is all punctuation is a word of its own. */
export function tokensOf(text: string): Token[] {
  return text
    .split(/\s+/u)
    .filter((part) => part !== '')
    .map(tokenOf)
}

function tokenOf(text: string): Token {
  const [, lead = '', bare = '', trail = ''] = PARTS.exec(text) ?? []
  const whole = bare === ''
  const core = (whole ? text : bare).normalize('NFC').replaceAll(/[\u2018\u2019\u02bc]/gu, "'")
  return { text, lead: whole ? '' : lead, trail: whole ? '' : trail, core, folded: core.toLowerCase() }
}

/** Marks that end a clause; two of them side by side is one too many. */
const MARKS = /^[.,!?;:\u2026]+/u

/**
 * `text` between the punctuation that stood around what it replaces. Marks that it brings itself are not doubled, but
 * the comma after an abbreviation stays: "Doctor," to "Dr." is "Dr.,".
 */
export function joinPunctuation(lead: string, text: string, trail: string): string {
  const marks = MARKS.exec(trail)?.[0] ?? ''
  const own = /[.,!?;:\u2026]$/u.exec(text)?.[0]
  const keeps = own === undefined || (own === '.' && !marks.startsWith('.'))
  const after = keeps ? trail : trail.slice(marks.length)
  return (
    (lead !== '' && text.startsWith(lead) ? '' : lead) +
    text +
    (after !== '' && text.endsWith(after) ? '' : after)
  )
}
