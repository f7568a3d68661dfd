/** All clips that fit a filter, looked up by what leaves the fewest: terms and words, or a range of values. */
import type Database from 'better-sqlite3'
import {
  rangeConditions,
  type ClipList,
  type Condition,
  type Filter,
  type Range,
  type Value,
} from './filter.ts'
import { createCache } from '../cache.ts'
import { DOC_BETWEEN } from './index-sql.ts'

const INDEXES = { duration: 'clip_keys_by_duration', updated_at: 'clip_keys_by_updated' } as const

/** A range with at most this many clips is read by its index, whatever the other conditions are. */
const NARROW = 60_000

export interface Span {
  readonly range: Range
  readonly clips: number
  /** The first and the last `doc`. */
  readonly first: number
  readonly last: number
}

/** How many clips a range has, and where; null: more than `most`. */
export function rangeSpan(
  sqlite: Database.Database,
  list: ClipList,
  range: Range,
  most: number,
): Span | null {
  const { sql, values } = where(rangeConditions([range]))
  const found = sqlite
    .prepare<(number | string)[], { clips: number; first: number | null; last: number | null }>(
      `select count(*) as clips, min(doc) as first, max(doc) as last from (
        select k.doc from clip_keys as k indexed by ${INDEXES[range.column]}
        where k.list = ?${sql} limit ?)`,
    )
    .get(list.number, ...values, most + 1)
  if (found === undefined || found.clips > most) return null
  return { range, clips: found.clips, first: found.first ?? 0, last: found.last ?? 0 }
}

function narrowest(sqlite: Database.Database, { list, ranges, most }: Filter): Span | null {
  return ranges
    .map((range) => rangeSpan(sqlite, list, range, Math.min(NARROW, most)))
    .reduce((best, span) => (span !== null && (best === null || span.clips < best.clips) ? span : best), null)
}

/** Further conditions of a query. */
export const where = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => ` and ${sql}`).join(''),
  values: conditions.flatMap(({ values }) => values),
})

export interface Source {
  /** What comes after `from`, up to its last condition; rows of `clip_keys` are `k`. */
  readonly sql: string
  /** Values up to the bounds, if there are any, and after them. */
  readonly before: readonly Value[]
  readonly after: readonly Value[]
  /** The first and the last `doc` that are looked at, in their order; null: in another order. */
  readonly bounds: readonly [first: number, last: number] | null
}

/** The values of a source, between its own bounds or others. */
export const valuesOf = ({ before, after, bounds }: Source, between = bounds): Value[] => [
  ...before,
  ...(between ?? []),
  ...after,
]

export function sourceOf(sqlite: Database.Database, filter: Filter): Source {
  const { list, match, terms, words, rarest } = filter
  const span = narrowest(sqlite, filter)
  if (span !== null && terms !== null && words === null && span.clips < filter.most) {
    const rest = where([...rangeConditions(filter.ranges), ...terms])
    const sql = `clip_keys as k indexed by ${INDEXES[span.range.column]} where k.list = ?${rest.sql}`
    return { sql, before: [list.number, ...rest.values], after: [], bounds: null }
  }
  const isRare = rarest !== null && terms !== null && words === null
  const rest = where([...rangeConditions(filter.ranges), ...(isRare ? terms : [])])
  const bounds = [span?.first ?? list.first, span?.last ?? list.last] as const
  if (match === null) {
    const sql = `clip_keys as k not indexed where k.doc ${DOC_BETWEEN}${rest.sql}`
    return { sql, before: [], after: rest.values, bounds }
  }
  const sql = `clip_words as f cross join clip_keys as k on k.doc = f.rowid
    where clip_words match ? and f.rowid ${DOC_BETWEEN}${rest.sql}`
  return { sql, before: [isRare ? rarest : match], after: rest.values, bounds }
}

/** The docs of the clips that have the words, in their order; null: there are too many. */
export type FindByWords = (list: ClipList, words: string) => readonly number[] | null

/** Of more it is less work to look for the words in the rows of a walk. */
export const FEW_WITH_WORDS = 10_000

/** Paging and sorting repeat the same words, so the last ones are cached. */
const CACHED_WORDS = 20

export function createFindByWords(sqlite: Database.Database, few: number): FindByWords {
  const cache = createCache<readonly number[] | null>(CACHED_WORDS)
  const find = sqlite
    .prepare<Value[], number>(
      `select rowid from clip_words where clip_words match ? and rowid ${DOC_BETWEEN} limit ?`,
    )
    .pluck()
  return (list, words) =>
    cache(`${list.number} ${list.revision} ${words}`, () => {
      const docs = find.all(words, list.first, list.last, few + 1)
      return docs.length > few ? null : docs
    })
}

/** Those of these clips that fit the rest of the filter. */
export function sourceOfDocs(docs: readonly number[], filter: Filter): Source {
  const rest = where([...rangeConditions(filter.ranges), ...(filter.terms ?? [])])
  return {
    sql: `json_each(?) as f cross join clip_keys as k on k.doc = f.value where true${rest.sql}`,
    before: [JSON.stringify(docs), ...rest.values],
    after: [],
    bounds: null,
  }
}
