/** Answers searches of clips from the indexes of a database (schema-listed-clips.ts), which it only reads. */
import type Database from 'better-sqlite3'
import type { ClipFacets } from '../../contract/tenant-api/clip.ts'
import { listOfCompany, workOut, type Filter } from './filter.ts'
import { findPage, PAGE_LIMITS, type PageLimits } from './pages.ts'
import { listedClips } from './rows.ts'
import { createFindByWords, FEW_WITH_WORDS } from './source.ts'
import { countClips, countFacets } from './totals.ts'
import type { ClipFindings, ClipSearch } from './types.ts'

const NO_FACETS: ClipFacets = { tags: [], statuses: [], people: [], keywords: [] }

interface Totals {
  total?: number
  facets?: ClipFacets
}

/** So many statements are kept; better-sqlite3 frees one no sooner than it is collected, when thousands may be waiting. */
const KEPT_STATEMENTS = 100

/** The same database, which prepares a statement of the same text once; each text is used in one way only. */
function withKeptStatements(sqlite: Database.Database): Database.Database {
  const kept = new Map<string, Database.Statement>()
  const prepare = (text: string): Database.Statement => {
    const statement = kept.get(text) ?? sqlite.prepare(text)
    kept.delete(text)
    kept.set(text, statement)
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_STATEMENTS) break
      kept.delete(oldest)
    }
    return statement
  }
  return Object.create(sqlite, { prepare: { value: prepare } }) as Database.Database
}

/** Answers of so many filters are cached until a clip of the company changes. */
const CACHED = 200

const LIMITS: PageLimits & { readonly fewWithWords: number } = {
  ...PAGE_LIMITS,
  fewWithWords: FEW_WITH_WORDS,
}

/** `limits`: for tests. */
export function createClipSearch(
  database: Database.Database,
  limits = LIMITS,
): (search: ClipSearch) => ClipFindings {
  const sqlite = withKeptStatements(database)
  const cache = new Map<string, Totals>()
  const findByWords = createFindByWords(sqlite, limits.fewWithWords)

  const totalsOf = ({ filter, count, facets }: ClipSearch, worked: Filter): Totals => {
    const { number, revision } = worked.list
    const key = JSON.stringify([number, revision, filter])
    const totals = cache.get(key) ?? {}
    cache.delete(key)
    cache.set(key, totals)
    for (const oldest of cache.keys()) {
      if (cache.size <= CACHED) break
      cache.delete(oldest)
    }
    if (count) totals.total ??= countClips(sqlite, worked)
    if (facets) totals.facets ??= countFacets(sqlite, worked)
    return totals
  }

  const answer = (search: ClipSearch): ClipFindings => {
    const { page, count, facets } = search
    const list = listOfCompany(sqlite, search.companyId)
    const filter = list === null ? null : workOut(sqlite, list, search.filter)
    if (filter === null)
      return { clips: [], next: null, total: count ? 0 : null, facets: facets ? NO_FACETS : null }
    const found = page === null ? [] : findPage(sqlite, findByWords, limits, filter, page)
    const shown = found.slice(0, page?.limit ?? 0)
    const last = shown.at(-1)
    const totals = count || facets ? totalsOf(search, filter) : {}
    return {
      clips: listedClips(
        sqlite,
        shown.map(({ doc }) => doc),
      ),
      next: last !== undefined && found.length > shown.length ? [last.value, last.id] : null,
      total: count ? (totals.total ?? null) : null,
      facets: facets ? (totals.facets ?? null) : null,
    }
  }

  // In one read transaction: a clip that changes meanwhile is seen everywhere as it was, or everywhere as it is.
  return database.transaction(answer)
}
