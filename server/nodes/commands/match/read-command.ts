/** One clause held against one command: its words, its parameters, and nothing left over. PURE. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Command, Phrasing } from '../declare.ts'
import { readingOf, type Kind, type Reading } from '../params.ts'
import { LEXICON, patternOf, STOP_WORDS } from './lexicon.ts'
import { LENGTH, NUMBER, readColour, readNumber, readTime, TIME } from './values.ts'

type Given = Record<string, unknown>

/** A clause of which more and more is understood. */
interface Clause {
  /** What is not understood yet; quotes are one letter each, what is understood a gap. */
  rest: string
  readonly quotes: readonly string[]
  /** Played length of the clip, seconds. */
  readonly length: number
}

const GAP = ' ¦ '
const QUOTE = '[\ue000-\uf8ff]s?'

/** `text` with straight quotes. */
export function clauseOf(text: string, length: number): Clause {
  const quotes: string[] = []
  const rest = text.replaceAll(/"([^"]*)"/gu, (_, quoted: string) => {
    quotes.push(quoted.trim())
    return String.fromCodePoint(0xe000 + quotes.length - 1)
  })
  return { rest, quotes, length }
}

const unmasked = (text: string, quotes: readonly string[]): string =>
  text.replaceAll(/[\ue000-\uf8ff]/gu, (mark) => quotes[(mark.codePointAt(0) ?? 0) - 0xe000] ?? '').trim()

const compiled = new Map<string, RegExp>()
function wordsOf(pattern: string): RegExp {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const made = new RegExp(`(?<![\\p{L}\\p{N}'])(?:${pattern})(?![\\p{L}\\p{N}])`, 'iu')
  compiled.set(pattern, made)
  return made
}

function take(clause: Clause, pattern: string): RegExpExecArray | null {
  const found = wordsOf(pattern).exec(clause.rest)
  if (found !== null)
    clause.rest = clause.rest.slice(0, found.index) + GAP + clause.rest.slice(found.index + found[0].length)
  return found
}

const PERCENT = `(?<n>${NUMBER}) ?(?:%|percent|per cent)(?: opaque| opacity| visible| down| from the top)?`
const TO = '(?:to|until|till|through|and|-|–)'
const DURING = '(?:(?:in|for|during|over|on|of|at) )?(?:the )?'
const span = (from: number | null, to: number | null): Given | null =>
  from === null || to === null || to <= from ? null : { from, to }

/** Phrasings of a time range; `a` and `b` are its ends in seconds, as matched. */
const RANGES: readonly (readonly [
  pattern: string,
  read: (a: number, b: number, length: number) => Given | null,
])[] = [
  [`(?:(?:from|between|at) )?(?<a>${TIME}) ?${TO} ?(?<b>${TIME})`, span],
  [`(?:at|from|after|starting at) (?<a>${TIME}),? for (?<b>${LENGTH})`, (a, b) => span(a, a + b)],
  [`(?:for )?(?<b>${LENGTH}) (?:at|from|starting at|after) (?<a>${TIME})`, (a, b) => span(a, a + b)],
  [`${DURING}(?:first|opening) (?<b>${LENGTH})`, (_, b) => span(0, b)],
  [
    `${DURING}(?:last|final|closing) (?<b>${LENGTH})`,
    (_, b, length) => span(Math.max(0, length - b), length),
  ],
  [
    `(?:everything|all|the rest|anything|what (?:comes|is))(?: that comes)? (?:after|from|past) (?<a>${TIME})(?: on(?:wards?)?)?`,
    (a, _, length) => span(a, length),
  ],
  [
    `(?:everything|all|anything|what (?:comes|is))(?: that comes)? (?:before|up to|until|till) (?<a>${TIME})`,
    (a) => span(0, a),
  ],
  [`(?:at|from|after|starting at) (?<a>${TIME})`, (from) => ({ from })],
]

function takeRange(clause: Clause): Given | null {
  for (const [pattern, read] of RANGES) {
    const before = clause.rest
    const found = take(clause, pattern)
    if (found === null) continue
    const seconds = (name: 'a' | 'b') => readTime(found.groups?.[name] ?? '0', clause.length)
    const a = seconds('a')
    const b = seconds('b')
    const range = a === null || b === null ? null : read(a, b, clause.length)
    if (range !== null) return range
    clause.rest = before
  }
  return null
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

function takeNumber(clause: Clause, pattern: string): number | null {
  const found = take(clause, pattern)
  return found === null ? null : readNumber(found.groups?.['n'] ?? found[0])
}

function takeTime(clause: Clause, pattern: string): number | null {
  const found = take(clause, pattern)
  return found === null ? null : readTime(found.groups?.['n'] ?? found[0], clause.length)
}

const TAKES: Readonly<Record<Exclude<Kind, 'range'>, (clause: Clause, reading: Reading) => unknown>> = {
  number: (clause) => takeNumber(clause, NUMBER),
  count: (clause, { beside = '' }) => takeNumber(clause, `(?<n>${NUMBER}) (?:${beside})`),
  percent: (clause) => takeNumber(clause, PERCENT),
  factor(clause, { more }) {
    const times =
      takeNumber(
        clause,
        `(?<n>${NUMBER}) ?(?:x|×|times (?=(?:as )?fast|speed))(?: ?(?:as )?(?:faster|fast|speed))?`,
      ) ?? takeNumber(clause, `(?:at|to|by|go) (?<n>${NUMBER}) times(?: (?:as )?(?:faster|fast|speed))?`)
    if (times !== null) return times
    const percent = takeNumber(clause, PERCENT)
    return percent === null ? null : more === true && percent < 100 ? 1 + percent / 100 : percent / 100
  },
  share(clause) {
    const percent = takeNumber(clause, PERCENT)
    const value = percent ?? takeNumber(clause, '\\d+(?:[.,]\\d+)?')
    return value === null ? null : percent !== null || value > 1 ? value / 100 : value
  },
  time: (clause) => takeTime(clause, `(?:(?:at|from|by) )?(?<n>${TIME})`),
  length: (clause) => takeTime(clause, LENGTH),
  colour: takeColour,
  text(clause) {
    const found = take(clause, QUOTE)
    return found === null ? null : unmasked(found[0].slice(0, 1), clause.quotes)
  },
}

function takeWords(clause: Clause, { words = [] }: Reading): unknown {
  return words.find(([pattern]) => take(clause, pattern) !== null)?.[1] ?? null
}

/** The value of one parameter; null, and the clause as it was, where it is not there or does not fit. */
function takeField(clause: Clause, schema: TSchema): unknown {
  const reading = readingOf(schema)
  const { kind } = reading
  const typed = () => (kind === undefined || kind === 'range' ? null : TAKES[kind](clause, reading))
  const before = clause.rest
  for (const one of kind === 'text'
    ? [() => takeWords(clause, reading), typed]
    : [typed, () => takeWords(clause, reading)]) {
    const value = one()
    if (value !== null && Value.Check(schema, value)) return value
    clause.rest = before
  }
  return null
}

const propertiesOf = (schema: TObject): [string, TSchema][] => Object.entries(schema.properties)
/** Texts, then where in the clip, come last: they take most. */
function fieldsInOrder(schema: TObject): [string, TSchema][] {
  const rank = ([, field]: [string, TSchema]): number => {
    const { kind } = readingOf(field)
    return kind === 'range' ? 2 : kind === 'text' ? 1 : 0
  }
  return propertiesOf(schema).toSorted((a, b) => rank(a) - rank(b))
}

/** Words without quotes at the end of a clause, for one field. */
interface Tail {
  readonly field: string
  readonly text: string
}

function readPhrasing(command: Command, phrasing: Phrasing, clause: Clause, tail: Tail | null): Given | null {
  const [says, given]: readonly [string, Given | null] =
    typeof phrasing === 'string' ? [phrasing, null] : [phrasing[0], { ...phrasing[1] }]
  const terms = says.split(' ').filter((term) => term !== '')
  const wanted = terms.filter((term) => term.startsWith('@')).map((term) => term.slice(1))
  const found: Given = tail === null ? {} : { [tail.field]: tail.text }
  for (const term of terms) {
    const name = term.startsWith('@') ? term.slice(1) : null
    if (name === null && take(clause, patternOf(term)) === null) return null
    const field = name === null || name in found ? undefined : command.params.properties[name]
    if (name === null || field === undefined || readingOf(field).kind === 'text') continue
    const value = takeField(clause, field)
    if (value === null) return null
    found[name] = value
  }
  for (const [name, schema] of fieldsInOrder(command.params)) {
    if (name in found) continue
    if (readingOf(schema).kind === 'range') {
      Object.assign(found, name === 'from' ? takeRange(clause) : null)
      continue
    }
    const value = takeField(clause, schema)
    if (value !== null) found[name] = value
  }
  if (wanted.some((name) => !(name in found))) return null
  const all = { ...given, ...found }
  const optional = given === null && propertiesOf(command.params).length > 0
  if (optional && Object.keys(found).length === 0) return null
  return Value.Check(command.params, all) && nothingLeft(command, clause, found) ? all : null
}

function nothingLeft({ params, fillers }: Command, { rest }: Clause, found: Given): boolean {
  const beside = propertiesOf(params).flatMap(([name, schema]) => {
    const { kind, beside: words } = readingOf(schema)
    return kind === 'text' && name in found ? (words ?? []) : []
  })
  const idle = [beside, fillers ?? [], STOP_WORDS].flat().filter((pattern) => pattern !== '')
  const left = idle.reduce((text, pattern) => text.replaceAll(new RegExp(wordsOf(pattern), 'giu'), GAP), rest)
  return !/[\p{L}\p{N}\p{Co}#%]/u.test(left)
}

/** What only points at words of the transcript. */
const SPOKEN = new RegExp(`^ ?(?:${LEXICON['words'] ?? ''}) | (?:in it|out)$`, 'giu')

/** A time is a position, not words to search for. */
const TIMES = new RegExp(`^(?:${TIME}|${LENGTH})$`, 'iu')

/** The clause up to each occurrence of a marker, and the text after it. */
function tailsOf(clause: Clause, params: TObject, how: 'open' | 'loose'): { head: Clause; tail: Tail }[] {
  const marks = propertiesOf(params).flatMap(([, schema]) => {
    const { kind, words = [] } = readingOf(schema)
    return kind === undefined && schema['type'] === 'boolean' ? words.map(([pattern]) => pattern) : []
  })
  const ending = marks.length === 0 ? null : new RegExp(` (?:${marks.join('|')})$`, 'iu')
  return propertiesOf(params).flatMap(([field, schema]) => {
    const { kind, beside = '', loose = '', spoken = false } = readingOf(schema)
    const marker = how === 'open' ? beside : loose
    if (kind !== 'text' || marker === '') return []
    const places = [...clause.rest.matchAll(new RegExp(wordsOf(marker), 'giu'))]
    // The shortest match when words of the clip are quoted; a title may be any text.
    return (spoken ? places.toReversed() : places).flatMap(({ index, 0: found }) => {
      const end = index + found.length
      const words = clause.rest.slice(end)
      const last = spoken ? (ending?.exec(words)?.[0] ?? '') : ''
      const bare = words.slice(0, words.length - last.length)
      const text = unmasked(spoken ? bare.replaceAll(SPOKEN, '') : bare, clause.quotes)
      if (text === '' || (spoken && TIMES.test(text))) return []
      return [{ head: { ...clause, rest: clause.rest.slice(0, end) + last }, tail: { field, text } }]
    })
  })
}

/**
 * The arguments with which a clause asks for a command; null: it asks for something else. `exact`: every word is
 * understood; `open`: some are taken for a text that nobody put in quotes; `loose`: that may be a guess.
 */
export function readCommand(
  command: Command,
  clause: Clause,
  how: 'exact' | 'open' | 'loose',
  says: readonly Phrasing[] = command.says,
): Given | null {
  const ways = how === 'exact' ? [{ head: clause, tail: null }] : tailsOf(clause, command.params, how)
  for (const phrasing of says)
    for (const { head, tail } of ways) {
      const found = readPhrasing(command, phrasing, { ...head }, tail)
      if (found !== null) return found
    }
  return null
}

/** The parameters that were typed behind a command's label: `Caption size 90`. */
export function readAfterLabel(command: Command, text: string, length: number): Given | null {
  const clause = clauseOf(text, length)
  return (
    readCommand(command, clause, 'exact', [['', {}]]) ??
    propertiesOf(command.params).reduce<Given | null>(
      (found, [name, schema]) =>
        found ??
        (readingOf(schema).kind === 'text' && Value.Check(command.params, { [name]: text.trim() })
          ? { [name]: text.trim() }
          : null),
      null,
    )
  )
}
