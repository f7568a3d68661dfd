/** One clause held against one command: its words, its parameters, and nothing left over. PURE. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Command, Phrasing } from '../declare.ts'
import { readingOf } from '../params.ts'
import { LEXICON, patternOf, STOP_WORDS } from './lexicon.ts'
import { LENGTH, TIME } from './values.ts'
import { clauseOf, GAP, take, unmasked, wordsOf, type Clause } from './ways.ts'

type Given = Record<string, unknown>

/** Reads a parameter into `found`; whether it is there. Where it is not, or does not fit, the clause is as it was. */
function readField(clause: Clause, found: Given, name: string, schema: TSchema): boolean {
  const { ways, rank } = readingOf(schema)
  const before = clause.rest
  for (const way of name in found ? [] : ways) {
    const value = way(clause)
    // A range has both of its fields.
    if (rank === 2 && value !== null) Object.assign(found, value)
    else if (value !== null && Value.Check(schema, value)) found[name] = value
    if (name in found) break
    clause.rest = before
  }
  return name in found
}

const propertiesOf = (schema: TObject): [string, TSchema][] => Object.entries(schema.properties)
const isText = (schema: TSchema): boolean => readingOf(schema).rank === 1

/** Words without quotes at the end of a clause, for one field. */
interface Tail {
  readonly field: string
  readonly text: string
}

function readPhrasing(command: Command, phrasing: Phrasing, clause: Clause, tail: Tail | null): Given | null {
  const [says, given]: readonly [string, Given | null] =
    typeof phrasing === 'string' ? [phrasing, null] : [phrasing[0], { ...phrasing[1] }]
  const { properties } = command.params
  const found: Given = tail === null ? {} : { [tail.field]: tail.text }
  const terms = says.split(' ').filter((term) => term !== '')
  for (const term of terms) {
    const name = term.slice(1)
    const field = term.startsWith('@') ? properties[name] : undefined
    if (field === undefined && take(clause, patternOf(term)) === null) return null
    if (field !== undefined && !isText(field) && !readField(clause, found, name, field)) return null
  }
  const inOrder = propertiesOf(command.params).toSorted(
    ([, a], [, b]) => (readingOf(a).rank ?? 0) - (readingOf(b).rank ?? 0),
  )
  for (const [name, schema] of inOrder) readField(clause, found, name, schema)
  if (terms.some((term) => term.startsWith('@') && !(term.slice(1) in found))) return null
  const all = { ...given, ...found }
  if (given === null && inOrder.length > 0 && Object.keys(found).length === 0) return null
  return Value.Check(command.params, all) && nothingLeft(command, clause, found) ? all : null
}

function nothingLeft({ params, fillers = '' }: Command, { rest }: Clause, found: Given): boolean {
  const besides = Object.keys(found).map((name) => readingOf(params.properties[name] ?? params).beside ?? '')
  const idle = [...besides, fillers, STOP_WORDS].filter((pattern) => pattern !== '')
  const left = idle.reduce((text, pattern) => text.replaceAll(wordsOf(pattern), GAP), rest)
  return !/[\p{L}\p{N}\p{Co}#%]/u.test(left)
}

/** What only points at words of the transcript. */
const SPOKEN = new RegExp(`^ ?(?:${LEXICON['words'] ?? ''}) | (?:in it|out)$`, 'giu')

/** A time is a position, not words to search for. */
const TIMES = new RegExp(`^(?:${TIME}|${LENGTH})$`, 'iu')

/** The clause up to each occurrence of a marker, and the text after it. */
function tailsOf(clause: Clause, params: TObject, how: 'open' | 'loose') {
  const marks = propertiesOf(params).flatMap(([, schema]) => readingOf(schema).mark ?? [])
  const ending = new RegExp(` (?:${marks.join('|')})$`, 'iu')
  return propertiesOf(params).flatMap(([field, schema]) => {
    const { beside = '', loose = '', spoken = false } = readingOf(schema)
    const marker = how === 'open' ? beside : loose
    const places = marker === '' ? [] : [...clause.rest.matchAll(wordsOf(marker))]
    // The shortest match when words of the clip are quoted; a title may be any text.
    return (spoken ? places.toReversed() : places).flatMap(({ index, 0: found }) => {
      const end = index + found.length
      const words = clause.rest.slice(end)
      const last = spoken ? (ending.exec(words)?.[0] ?? '') : ''
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
  const splits: { readonly head: Clause; readonly tail: Tail | null }[] =
    how === 'exact' ? [{ head: clause, tail: null }] : tailsOf(clause, command.params, how)
  for (const phrasing of says)
    for (const { head, tail } of splits) {
      const found = readPhrasing(command, phrasing, { ...head }, tail)
      if (found !== null) return found
    }
  return null
}

/** The parameters that were typed behind a command's label: `Caption size 90`. */
export function readAfterLabel(command: Command, text: string, length: number): Given | null {
  const given = readCommand(command, clauseOf(text, length), 'exact', [['', {}]])
  const texts = propertiesOf(command.params).filter(([, schema]) => isText(schema))
  const whole = texts.map(([name]) => ({ [name]: text.trim() }))
  return given ?? whole.find((one) => Value.Check(command.params, one)) ?? null
}
