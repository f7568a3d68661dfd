/** What a filter of clips is in SQL: an expression for the full-text index, and conditions on rows of `clip_keys`. */
import type Database from 'better-sqlite3'
import { ROW_BITS, TOKENS, type TermKind, type TokenKind } from './index-sql.ts'
import { nameKeys, wordsOf } from './letters.ts'
import type { ClipFilter } from './types.ts'

export type Value = string | number

export interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

/** Values of a column of `clip_keys`, both ends included. */
export interface Range {
  readonly column: 'duration' | 'updated_at'
  readonly min: number
  readonly max: number
}

export interface ClipList {
  readonly number: number
  /** Another with every change of one of its clips. */
  readonly revision: number
  readonly clips: number
  /** No `doc` of the list is before the first one, or after the last one. */
  readonly first: number
  readonly last: number
}

/** A filter of one list, worked out. */
export interface Filter {
  readonly list: ClipList
  /** For `clip_words match`; null: the filter has neither words nor terms. */
  readonly match: string | null
  /** Of that the words alone. */
  readonly words: string | null
  /** Conditions on a row for the filter's terms; null: only `match` has them. */
  readonly terms: readonly Condition[] | null
  /** Of `match` what fits the fewest clips, and so few that the rest is looked for in their rows; null: nothing does. */
  readonly rarest: string | null
  readonly ranges: readonly Range[]
  /** No more clips than this have the terms; exactly so many where `isCounted`. */
  readonly most: number
  readonly isCounted: boolean
  /** How many entries of the full-text index `match` is made of, words taken to be in every clip. */
  readonly entries: number
}

/** The clips of a company; null: it has never had one. */
export function listOfCompany(sqlite: Database.Database, companyId: string): ClipList | null {
  const found = sqlite
    .prepare<[string], { number: number; clips: number; revision: number }>(
      `select number, clips, (select max(seq) from listed_clips where listed_clips.company_id = clip_lists.company_id)
         as revision from clip_lists where company_id = ?`,
    )
    .get(companyId)
  if (found === undefined) return null
  const first = found.number * 2 ** ROW_BITS
  const last = sqlite
    .prepare<[number], number | null>('select max(doc) from clip_keys where doc < ?')
    .pluck()
    .get(first + 2 ** ROW_BITS)
  return { ...found, first, last: last ?? first }
}

/** Terms of one kind, one of which a clip must have. */
interface Wanted {
  readonly kind: TokenKind
  readonly keys: readonly string[]
}

const hasTerms = (kind: TokenKind): kind is TermKind => kind !== 'run' && kind !== 'episode'

function wantedOf(filter: ClipFilter): Wanted[] {
  const wanted: Wanted[] = []
  const want = (kind: TokenKind, keys: readonly string[] | undefined): void => {
    if (keys !== undefined && keys.length > 0) wanted.push({ kind, keys: [...new Set(keys)] })
  }
  const one = (value: string | undefined): string[] | undefined => (value === undefined ? undefined : [value])
  want('workflow', one(filter.workflowId))
  want('run', one(filter.runId))
  want('episode', one(filter.episodeId))
  want('aspectRatio', one(filter.aspectRatio))
  want('statuses', one(filter.status))
  want('statuses', filter.statuses?.flatMap(nameKeys))
  want('tags', filter.tags?.flatMap(nameKeys))
  want('keywords', filter.keywords?.flatMap(nameKeys))
  if (filter.personMode === 'all') for (const person of filter.people ?? []) want('people', nameKeys(person))
  else want('people', filter.people?.flatMap(nameKeys))
  return wanted
}

function rangesOf(filter: ClipFilter): Range[] {
  const { durationMin, durationMax, modifiedAfter, modifiedBefore } = filter
  const ranges: readonly Range[] = [
    { column: 'duration', min: durationMin ?? -Infinity, max: durationMax ?? Infinity },
    { column: 'updated_at', min: modifiedAfter ?? -Infinity, max: modifiedBefore ?? Infinity },
  ]
  return ranges.filter(({ min, max }) => min > -Infinity || max < Infinity)
}

/** From so many characters on, the last word may be the beginning of one. */
const SHORTEST_BEGINNING = 3

/** Words are letters and digits only: nothing of a query is read as an operator. */
function wordsMatch(query: string): string[] {
  const words = wordsOf(query)
  // Anything but a letter at the end, such as a space, means that the last word is complete.
  const isOpen = /[\p{L}\p{N}\p{M}]$/u.test(query)
  return words.map((word, at) => {
    const isBeginning = isOpen && at === words.length - 1 && [...word].length >= SHORTEST_BEGINNING
    return isBeginning ? `"${word}"*` : `"${word}"`
  })
}

const token = (kind: TokenKind, key: string): string =>
  `"${TOKENS[kind]}${Buffer.from(key, 'utf8').toString('hex')}"`

const anyOf = (expressions: readonly string[]): string => `(${expressions.join(' OR ')})`
const allOf = (expressions: readonly string[]): string | null =>
  expressions.length === 0 ? null : expressions.join(' AND ')

/** To read so many rows takes less than to look for other terms of them in the full-text index. */
const RARE = 5000

/** Null: no clip can fit, because none has a requested term. */
export function workOut(sqlite: Database.Database, list: ClipList, filter: ClipFilter): Filter | null {
  const find = sqlite.prepare<[number, string, string], { id: number; clips: number }>(
    `select id, clips from clip_terms where list = ? and kind = ?
     and key in (select value from json_each(?))`,
  )
  const expressions: string[] = []
  const conditions: Condition[] = []
  let most = list.clips
  let entries = 0
  let rarest: string | null = null
  let isWhole = true
  for (const { kind, keys } of wantedOf(filter)) {
    const expression = anyOf(keys.map((key) => token(kind, key)))
    expressions.push(expression)
    if (!hasTerms(kind)) {
      isWhole = false
      continue
    }
    const found = find.all(list.number, kind, JSON.stringify(keys))
    if (found.length === 0) return null
    const having = found.reduce((sum, { clips }) => sum + clips, 0)
    if (having < most) rarest = expression
    most = Math.min(most, having)
    entries += having
    const has = found.map(() => 'instr(k.terms, ?) > 0').join(' or ')
    conditions.push({ sql: `(${has})`, values: found.map(({ id }) => ` ${id} `) })
  }
  const words = wordsMatch(filter.query ?? '')
  const ranges = rangesOf(filter)
  const ids = conditions.reduce((sum, { values }) => sum + values.length, 0)
  return {
    list,
    match: allOf([...words, ...expressions]),
    words: allOf(words),
    terms: isWhole ? conditions : null,
    rarest: isWhole && most <= RARE ? rarest : null,
    ranges,
    most,
    entries: entries + words.length * list.clips,
    isCounted: isWhole && ids <= 1 && words.length === 0 && ranges.length === 0,
  }
}

export const rangeConditions = (ranges: readonly Range[], alias = 'k'): Condition[] =>
  ranges.flatMap(({ column, min, max }) => [
    ...(min > -Infinity ? [{ sql: `${alias}.${column} >= ?`, values: [min] }] : []),
    ...(max < Infinity ? [{ sql: `${alias}.${column} <= ?`, values: [max] }] : []),
  ])
