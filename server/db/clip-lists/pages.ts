/**
 * One page of a list. Where many clips fit, the list is walked along the index of its order until a page is full; where
 * few do, they are looked up by what they have and sorted. A first stretch of the walk shows which of the two it is.
 */
import type Database from 'better-sqlite3'
import type { ClipSort } from '../../contract/tenant-api/clip.ts'
import { rangeConditions, type Condition, type Filter, type Value } from './filter.ts'
import { DOC_BETWEEN } from './index-sql.ts'
import {
  rangeSpan,
  sourceOf,
  sourceOfDocs,
  valuesOf,
  where,
  type FindByWords,
  type Source,
} from './source.ts'
import type { ClipPosition, ClipSearch } from './types.ts'

type Page = NonNullable<ClipSearch['page']>

export interface PlacedClip {
  readonly doc: number
  readonly value: string | number
  readonly id: string
}

const SORTS: Readonly<Record<ClipSort, { readonly column: string; readonly index: string }>> = {
  created_at: { column: 'created_at', index: 'clip_keys_by_created' },
  updated_at: { column: 'updated_at', index: 'clip_keys_by_updated' },
  duration: { column: 'duration', index: 'clip_keys_by_duration' },
  title: { column: 'title', index: 'clip_keys_by_title' },
  virality_score: { column: 'virality_score', index: 'clip_keys_by_virality' },
}

/** Where a page is found in another way; tests set others, to go every way with a few clips. */
export interface PageLimits {
  /** So few clips of a range are looked up and sorted at once. */
  readonly few: number
  /** How many times what it takes to look a clip up it takes to walk past one. */
  readonly walkCost: number
  /** Rows of the first stretch of a walk, */
  readonly firstRows: number
  /** and where each may cost a look into the full-text index. */
  readonly firstRowsByWord: number
}

export const PAGE_LIMITS: PageLimits = { few: 3000, walkCost: 5, firstRows: 1000, firstRowsByWord: 100 }

/** No stretch is longer than this: what was estimated may be wrong. */
const MOST_ROWS = 20_000

/** Milliseconds, as measured over a million clips: to look one up and sort it, to read an entry of the full-text index. */
const LOOK_UP_MS = 0.0008
const ENTRY_MS = 0.00003

/** In the order of the list, at most one more than the limit. */
export function findPage(
  sqlite: Database.Database,
  findByWords: FindByWords,
  limits: PageLimits,
  filter: Filter,
  page: Page,
): PlacedClip[] {
  const run = (sql: string, values: readonly Value[]): PlacedClip[] =>
    sqlite.prepare<Value[], PlacedClip>(sql).all(...values)
  const limit = page.limit + 1
  const lookUp = (source: Source = sourceOf(sqlite, filter)): PlacedClip[] => {
    const { sql, values } = lookUpSql(source, page)
    return run(sql, [...values, limit])
  }
  if (isSelective(sqlite, filter, limits, limit)) return lookUp()
  const docs = filter.words === null ? null : findByWords(filter.list, filter.words)
  if (docs !== null) return lookUp(sourceOfDocs(docs, filter))
  if (filter.match === null && filter.ranges.length === 0) {
    const { sql, values } = walkSql(filter, page, page.after, [])
    return run(sql, [...values, limit])
  }
  const found: PlacedClip[] = []
  let after = page.after
  let walked = 0
  const began = performance.now()
  for (let rows = filter.words === null ? limits.firstRows : limits.firstRowsByWord; ;) {
    const stretch = nextStretch(sqlite, filter, page, after, rows)
    const { sql, values } = walkSql(filter, page, after, stretch.conditions)
    found.push(...run(sql, [...values, limit - found.length]))
    walked += stretch.rows
    if (found.length >= limit || stretch.end === null) return found
    after = stretch.end
    const missing = limit - found.length
    // One more than were found: none in a thousand may mean one in the next thousand.
    const needed = (missing * walked) / (found.length + 1)
    const walkMs = (needed * (performance.now() - began)) / walked
    const fitting = ((found.length + 1) / walked) * filter.list.clips
    const lookUpMs = fitting * LOOK_UP_MS + filter.entries * ENTRY_MS
    if (needed > MOST_ROWS || walkMs > lookUpMs) return lookUp()
    rows = Math.min(MOST_ROWS, Math.ceil(needed * 1.5))
  }
}

/** Whether so few clips can fit that to look them all up is less than to walk until `wanted` of them are found. */
function isSelective(
  sqlite: Database.Database,
  { list, match, terms, ranges, most }: Filter,
  { few, walkCost }: PageLimits,
  wanted: number,
): boolean {
  if (terms === null) return true
  // Spread evenly, `wanted` of them are found among `wanted * list.clips / most` rows.
  if (match !== null && most * most <= wanted * list.clips * walkCost) return true
  return ranges.some((range) => rangeSpan(sqlite, list, range, few) !== null)
}

interface Stretch {
  readonly rows: number
  /** The last clip of the stretch; null: the list ends in it. */
  readonly end: ClipPosition | null
  readonly conditions: readonly Condition[]
}

/** Docs of a stretch lie close together when there is at least one in so many of the list in it. */
const DENSE = 16

/** The next rows of the list, and what has to hold for those of them that fit. */
function nextStretch(
  sqlite: Database.Database,
  filter: Filter,
  page: Page,
  after: ClipPosition | null,
  rows: number,
): Stretch {
  const { column } = SORTS[page.sortBy]
  // Rows of the range that the index is read along are inside it; other ranges are checked row by row.
  const ranges = filter.ranges.filter((range) => range.column === column)
  const walk = walkSql({ list: filter.list, terms: [], ranges }, page, after, [])
  const found = sqlite
    .prepare<Value[], { first: number | null; last: number | null; rows: number }>(
      `select min(doc) as first, max(doc) as last, count(*) as rows from (${walk.sql})`,
    )
    .get(...walk.values, rows)
  const { first = null, last = null, rows: there = 0 } = found ?? {}
  const end =
    there < rows
      ? undefined
      : sqlite.prepare<Value[], PlacedClip>(`${walk.sql} offset ?`).get(...walk.values, 1, rows - 1)
  const conditions: Condition[] = []
  if (end !== undefined)
    conditions.push({
      sql: `(k.${column}, k.clip_id) ${page.order === 'asc' ? '<=' : '>='} (?, ?)`,
      values: [end.value, end.id],
    })
  const isDense = first !== null && last !== null && last - first <= there * DENSE
  if (filter.words !== null)
    conditions.push(
      isDense
        ? {
            sql: `k.doc in (select rowid from clip_words where clip_words match ? and rowid ${DOC_BETWEEN})`,
            values: [filter.words, first, last],
          }
        : {
            sql: 'exists (select 1 from clip_words where clip_words match ? and rowid = k.doc)',
            values: [filter.words],
          },
    )
  return { rows: there, end: end === undefined ? null : [end.value, end.id], conditions }
}

const afterCondition = ({ sortBy, order }: Page, after: ClipPosition | null): Condition[] =>
  after === null
    ? []
    : [
        {
          sql: `(k.${SORTS[sortBy].column}, k.clip_id) ${order === 'asc' ? '>' : '<'} (?, ?)`,
          values: [...after],
        },
      ]

/** Along the order of the list; the limit is the last value. */
function walkSql(
  filter: Pick<Filter, 'list' | 'terms' | 'ranges'>,
  page: Page,
  after: ClipPosition | null,
  more: readonly Condition[],
): Condition {
  const { column, index } = SORTS[page.sortBy]
  const { sql, values } = where([
    ...afterCondition(page, after),
    ...rangeConditions(filter.ranges),
    ...(filter.terms ?? []),
    ...more,
  ])
  return {
    sql: `select k.doc, k.${column} as value, k.clip_id as id from clip_keys as k indexed by ${index}
      where k.list = ?${sql}
      order by k.${column} ${page.order}, k.clip_id ${page.order} limit ?`,
    values: [filter.list.number, ...values],
  }
}

/** All that fit, sorted; the limit is the last value. */
function lookUpSql(source: Source, page: Page): Condition {
  const { column } = SORTS[page.sortBy]
  const after = where(afterCondition(page, page.after))
  return {
    sql: `select k.doc, k.${column} as value, k.clip_id as id from ${source.sql}${after.sql}
      order by k.${column} ${page.order}, k.clip_id ${page.order} limit ?`,
    values: [...valuesOf(source), ...after.values],
  }
}
