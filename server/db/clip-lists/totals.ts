/** How many clips fit a filter, and what occurs among them. */
import type Database from 'better-sqlite3'
import { FACET_LIMITS, type ClipFacets, type FacetName } from '../../contract/tenant-api/clip.ts'
import type { Filter, Value } from './filter.ts'
import { DOC_BETWEEN } from './index-sql.ts'
import { sourceOf, valuesOf } from './source.ts'

export function countClips(sqlite: Database.Database, filter: Filter): number {
  if (filter.isCounted) return filter.most
  const { list, match, ranges } = filter
  const count = (sql: string, values: readonly Value[]): number =>
    sqlite
      .prepare<Value[], number>(`select count(*) from ${sql}`)
      .pluck()
      .get(...values) ?? 0
  if (match !== null && ranges.length === 0)
    return count(`clip_words where clip_words match ? and rowid ${DOC_BETWEEN}`, [
      match,
      list.first,
      list.last,
    ])
  const [range] = ranges
  if (match === null && range !== undefined && ranges.length === 1)
    return count(`clip_keys where list = ? and ${range.column} between ? and ?`, [
      list.number,
      range.min,
      range.max,
    ])
  const source = sourceOf(sqlite, filter)
  return count(source.sql, valuesOf(source))
}

/** What occurs most often among the clips that fit, exactly counted. */
export function countFacets(sqlite: Database.Database, filter: Filter): ClipFacets {
  const { list, match, ranges } = filter
  const counted = match === null && ranges.length === 0 ? null : countTermsOf(sqlite, filter)
  const source =
    counted === null
      ? 'select label as value, clips as count from clip_terms where list = ? and kind = ?'
      : `select label as value, counted.value ->> 1 as count from json_each(?) as counted
         cross join clip_terms on clip_terms.id = counted.value ->> 0 where list = ? and kind = ?`
  const most = sqlite.prepare<Value[], { value: string; count: number }>(
    `${source} order by count desc, value limit ?`,
  )
  const facet = (kind: FacetName): { value: string; count: number }[] =>
    most.all(...(counted === null ? [] : [counted]), list.number, kind, FACET_LIMITS[kind])
  return {
    tags: facet('tags'),
    statuses: facet('statuses'),
    people: facet('people'),
    keywords: facet('keywords'),
  }
}

/** JSON: pairs of a term's id and how many of the clips that fit have it. */
function countTermsOf(sqlite: Database.Database, filter: Filter): string {
  const source = sourceOf(sqlite, filter)
  const terms = sqlite
    .prepare<Value[], string | null>(`select group_concat(k.terms, '') from ${source.sql}`)
    .pluck()
  const counts = newTally(sqlite)
  for (const part of partsOf(source.bounds)) addTerms(counts, terms.get(...valuesOf(source, part)) ?? '')
  const pairs: [id: number, count: number][] = []
  for (const [id, count] of counts.entries()) if (count > 0) pairs.push([id, count])
  return JSON.stringify(pairs)
}

type Bounds = readonly [first: number, last: number]

/** Parts of a long stretch: the text of all its terms at once may be a hundred megabytes. */
function* partsOf(bounds: Bounds | null): Generator<Bounds | null> {
  if (bounds === null) yield null
  else
    for (let [first] = bounds; first <= bounds[1]; first += TALLY_ROWS)
      yield [first, Math.min(bounds[1], first + TALLY_ROWS - 1)]
}

/** How often each id occurs, by the id. */
function newTally(sqlite: Database.Database): Uint32Array {
  const newest = sqlite.prepare<[], number | null>('select max(id) from clip_terms').pluck().get() ?? 0
  return new Uint32Array(newest + 1)
}

const SPACE = 32
const ZERO = 48

/** Adds the ids of a text of `clip_keys.terms`. */
function addTerms(counts: Uint32Array, text: string): void {
  let id = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== SPACE) id = id * 10 + code - ZERO
    else if (id > 0) {
      counts[id] = (counts[id] ?? 0) + 1
      id = 0
    }
  }
}

/** So many clips at once: a megabyte or two of text. */
const TALLY_ROWS = 20_000

/** Writes into `clip_terms` how many clips have each. */
export function countTerms(sqlite: Database.Database): void {
  const next = sqlite.prepare<[number, number], { terms: string | null; last: number | null }>(
    `select group_concat(terms, '') as terms, max(doc) as last
     from (select doc, terms from clip_keys where doc > ? order by doc limit ?)`,
  )
  const counts = newTally(sqlite)
  for (let after = 0; ;) {
    const part = next.get(after, TALLY_ROWS)
    if (part?.last == null) break
    addTerms(counts, part.terms ?? '')
    after = part.last
  }
  const write = sqlite.prepare('update clip_terms set clips = ? where id = ?')
  for (const [id, count] of counts.entries()) if (count > 0) write.run(count, id)
}
