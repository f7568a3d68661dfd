/** Queries of the search index (schema-search.ts). Expressions come from domain/search-terms.ts, never from a request. */
import type { Db } from './client.ts'
import { prepareOnce } from './prepared.ts'
import type { SearchType } from '../contract/tenant-api/search.ts'

export interface SearchRow {
  readonly seq: number
  readonly kind: SearchType
  readonly subjectId: string
  readonly title: string
  readonly tags: string
  readonly body: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Rows of this company or of all companies, of these kinds (null: any), as the index's column `scope` has it. */
export function scopeMatch(companyId: string, kinds: readonly string[] | null): string {
  const owner = `c${Buffer.from(companyId, 'utf8').toString('hex')}`
  const words =
    kinds === null
      ? [owner, 'call']
      : kinds.flatMap((kind) => [owner, 'call'].map((who) => `${who}k${kind.replaceAll('_', '')}`))
  return `{scope} : (${words.map((word) => `"${word}"`).join(' OR ')})`
}

export interface MatchWindow {
  readonly match: string
  readonly companyId: string
  /** Numbers of entries, both inclusive. */
  readonly from: number
  readonly to: number
  readonly limit: number
}

/** The newest matches of a window, newest first. `where`: in all words, or in titles and tags only. */
export function findMatches(db: Db, where: 'words' | 'names', window: MatchWindow): SearchRow[] {
  const { match, companyId, from, to, limit } = window
  const table = where === 'words' ? 'search_index' : 'search_names'
  // The expression has the company already; this condition makes sure that no word of a text can stand for it.
  const text = `select e.seq, e.kind, e.subject_id as subjectId, e.title, e.tags, e.body, e.at
    from ${table} f cross join search_entries e on e.seq = f.rowid
    where ${table} match ? and f.rowid between ? and ? and (e.company_id = ? or e.company_id is null)
    order by f.rowid desc limit ?`
  return prepareOnce<SearchRow>(db, text).all(match, from, to, companyId, limit)
}

/** Which entries of a window match in their title and tags. */
export function findNamed(db: Db, match: string, from: number, to: number): ReadonlySet<number> {
  const text = 'select rowid as seq from search_names where search_names match ? and rowid between ? and ?'
  const rows = prepareOnce<{ seq: number }>(db, text).all(match, from, to)
  return new Set(rows.map(({ seq }) => seq))
}

/** How many match, counted up to `limit`. */
export function countMatches(db: Db, match: string, limit: number): number {
  const text = `select count(*) as found from
    (select 1 from search_index where search_index match ? limit ?)`
  return prepareOnce<{ found: number }>(db, text).get(match, limit)?.found ?? 0
}

/** The entry of one thing of this company; null: there is none. */
export function findEntry(db: Db, companyId: string, kind: SearchType, subjectId: string): SearchRow | null {
  const text = `select seq, kind, subject_id as subjectId, title, tags, body, at from search_entries
    where kind = ? and subject_id = ? and company_id = ?`
  return prepareOnce<SearchRow>(db, text).get(kind, subjectId, companyId) ?? null
}

/** The highest number given so far; 0 for an empty index. */
export function newestEntry(db: Db): number {
  const text = 'select coalesce(max(seq), 0) as seq from search_entries'
  return prepareOnce<{ seq: number }>(db, text).get()?.seq ?? 0
}

export interface GuideSection {
  readonly id: string
  readonly title: string
  readonly tags: string
  readonly body: string
}

/** Replaces the sections of the guide, which everybody finds. Called in a transaction. */
export function replaceGuide(db: Db, sections: readonly GuideSection[], at: number): void {
  db.sqlite.prepare(`delete from search_entries where kind = 'doc'`).run()
  const insert = db.sqlite.prepare(
    `insert into search_entries (company_id, kind, subject_id, title, tags, body, at) values (null, 'doc', ?, ?, ?, ?, ?)`,
  )
  for (const { id, title, tags, body } of sections) insert.run(id, title, tags, body, at)
}
