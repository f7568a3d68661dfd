/** How a value of each kind is found in a clause. PURE. */
import { LENGTH, NUMBER, readColour, readNumber, readTime, TIME } from './values.ts'

/** A clause of which more and more is understood. */
export interface Clause {
  /** What is not understood yet; quotes are one letter each, what is understood a gap. */
  rest: string
  readonly quotes: readonly string[]
  /** Played length of the clip, seconds. */
  readonly length: number
}

/** Takes a value out of a clause; null: it is not there. */
export type Way = (clause: Clause) => unknown

export const GAP = ' ¦ '

const compiled = new Map<string, RegExp>()
/** Matches the pattern where it stands as words of its own. */
export function wordsOf(pattern: string): RegExp {
  const made =
    compiled.get(pattern) ?? new RegExp(`(?<![\\p{L}\\p{N}'])(?:${pattern})(?![\\p{L}\\p{N}])`, 'giu')
  compiled.set(pattern, made)
  made.lastIndex = 0
  return made
}

export function take(clause: Clause, pattern: string): RegExpExecArray | null {
  const found = wordsOf(pattern).exec(clause.rest)
  if (found !== null)
    clause.rest = clause.rest.slice(0, found.index) + GAP + clause.rest.slice(found.index + found[0].length)
  return found
}

/** What the pattern finds, or its group `n`, as it is read. */
export const way =
  (pattern: string, read: (text: string, clause: Clause) => unknown): Way =>
  (clause) => {
    const found = take(clause, pattern)
    return found === null ? null : read(found.groups?.['n'] ?? found[0], clause)
  }

/** A number, changed by what its unit means. */
export const numberWay = (pattern: string, change = (value: number): number => value): Way =>
  way(pattern, (text) => {
    const value = readNumber(text)
    return value === null ? null : change(value)
  })

const timeWay = (pattern: string): Way => way(pattern, (text, { length }) => readTime(text, length))

export const PERCENT = `(?<n>${NUMBER}) ?(?:%|percent|per cent)(?: opaque| opacity| visible| down| from the top)?`
const TO = '(?:to|until|till|through|and|-|–)'
const DURING = '(?:(?:in|for|during|over|on|of|at) )?(?:the )?'
const AFTER = '(?:at|from|after|starting at)'

/** A time range; `a` and `b` are its times in seconds, as matched. */
const rangeWay =
  (pattern: string, read: (a: number, b: number, length: number) => readonly number[]): Way =>
  (clause) => {
    const { length } = clause
    const groups = take(clause, pattern)?.groups
    const a = readTime(groups?.['a'] ?? '0', length)
    const b = readTime(groups?.['b'] ?? '0', length)
    if (groups === undefined || a === null || b === null) return null
    const [from = 0, to = Infinity] = read(a, b, length).map((second) => Math.max(0, second))
    return to === Infinity ? { from } : to > from ? { from, to } : null
  }

/** The longest run of words that is a colour, as it was written. */
function takeColour(clause: Clause): string | null {
  const words = [...clause.rest.matchAll(/#?[\p{L}\p{N}]+/gu)]
  for (const [at, word] of words.entries())
    for (const last of words.slice(at, at + 3).toReversed()) {
      const written = clause.rest.slice(word.index, last.index + last[0].length)
      if (!/^[^¦,]+$/u.test(written) || readColour(written) === null) continue
      clause.rest = clause.rest.replace(written, GAP)
      return written
    }
  return null
}

/** `share`: `30%`, `0.3`; `range`: from and to at once. */
export const WAYS = {
  number: [numberWay(NUMBER)],
  percent: [numberWay(PERCENT)],
  /** `1.5x`, `3 times faster`; percent are left to its parameter. */
  factor: [
    numberWay(`(?<n>${NUMBER}) ?(?:x|×|times (?=(?:as )?fast|speed))(?: ?(?:as )?(?:faster|fast|speed))?`),
    numberWay(`(?:at|to|by|go) (?<n>${NUMBER}) times(?: (?:as )?(?:faster|fast|speed))?`),
  ],
  share: [
    numberWay(PERCENT, (value) => value / 100),
    numberWay('\\d+(?:[.,]\\d+)?', (value) => (value > 1 ? value / 100 : value)),
  ],
  time: [timeWay(`(?:(?:at|from|by) )?(?<n>${TIME})`)],
  length: [timeWay(LENGTH)],
  colour: [takeColour],
  text: [way('(?<n>[\\ue000-\\uf8ff])s?', (mark, { quotes }) => unmasked(mark, quotes))],
  range: [
    rangeWay(`(?:(?:from|between|at) )?(?<a>${TIME}) ?${TO} ?(?<b>${TIME})`, (a, b) => [a, b]),
    rangeWay(`${AFTER} (?<a>${TIME}),? for (?<b>${LENGTH})`, (a, b) => [a, a + b]),
    rangeWay(`(?:for )?(?<b>${LENGTH}) ${AFTER} (?<a>${TIME})`, (a, b) => [a, a + b]),
    rangeWay(`${DURING}(?:first|opening) (?<b>${LENGTH})`, (_, b) => [0, b]),
    rangeWay(`${DURING}(?:last|final|closing) (?<b>${LENGTH})`, (_, b, length) => [length - b, length]),
    rangeWay(
      `(?:everything|all|the rest|anything|what (?:comes|is))(?: that comes)? (?:after|from|past) (?<a>${TIME})(?: on(?:wards?)?)?`,
      (a, _, length) => [a, length],
    ),
    rangeWay(
      `(?:everything|all|anything|what (?:comes|is))(?: that comes)? (?:before|up to|until|till) (?<a>${TIME})`,
      (a) => [0, a],
    ),
    rangeWay(`${AFTER} (?<a>${TIME})`, (from) => [from]),
  ],
} satisfies Readonly<Record<string, readonly Way[]>>
export type Kind = keyof typeof WAYS

/** The clause with each text in straight quotes as one letter. */
export function clauseOf(text: string, length: number): Clause {
  const quotes: string[] = []
  const rest = text.replaceAll(/"([^"]*)"/gu, (_, quoted: string) => {
    quotes.push(quoted.trim())
    return String.fromCodePoint(0xe000 + quotes.length - 1)
  })
  return { rest, quotes, length }
}

/** What was quoted in place of the letters that stand for it, between `marks`. */
export const unmasked = (text: string, quotes: readonly string[], marks = ''): string =>
  text
    .replaceAll(/[\ue000-\uf8ff]/gu, (one) => `${marks}${quotes[(one.codePointAt(0) ?? 0) - 0xe000]}${marks}`)
    .trim()
