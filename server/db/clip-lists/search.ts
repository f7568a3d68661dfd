/** Answers searches of clips from the indexes of a database (schema-listed-clips.ts), which it only reads. */
import type Database from 'better-sqlite3'
import type { ClipFacets } from '../../contract/tenant-api/clip.ts'
import { listOfCompany, workOut, type Filter } from './filter.ts'
import { findPage, PAGE_LIMITS, type PageLimits } from './pages.ts'
import { createFindByWords, FEW_WITH_WORDS } from './source.ts'
import { countClips, countFacets } from './totals.ts'
import type { ClipFindings, ClipSearch, ListedClip } from './types.ts'
import { ROW_BITS } from './index-sql.ts'
import { statusesOf } from './statuses.ts'

const NO_FACETS: ClipFacets = { tags: [], statuses: [], people: [], keywords: [] }

interface Totals {
  total?: number
  facets?: ClipFacets
}

/**
 * Statements that are cached. better-sqlite3 frees a statement only when it is collected, when thousands may be
 * waiting.
 */
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

interface ListedRow {
  readonly row: number
  readonly clip_id: string
  readonly workflow_id: string
  readonly run_id: string | null
  readonly title: string
  readonly duration: number
  readonly virality_score: number
  readonly aspect_ratio: string
  readonly people: string
  readonly keywords: string
  readonly tags: string
  readonly source_id: string
  readonly rendered: number
  readonly edited: number
  readonly render_state: number
  readonly post_states: number
  readonly created_at: number
  readonly updated_at: number
  readonly media_id: string | null
  readonly media_name: string | null
}

const names = (json: string): readonly string[] => JSON.parse(json) as string[]

const listedOf = (row: ListedRow): ListedClip => ({
  id: row.clip_id,
  title: row.title,
  statuses: statusesOf({
    rendered: row.rendered === 1,
    edited: row.edited === 1,
    renderState: row.render_state,
    postStates: row.post_states,
  }),
  duration: row.duration,
  viralityScore: row.virality_score,
  aspectRatio: row.aspect_ratio,
  tags: names(row.tags),
  people: names(row.people),
  keywords: names(row.keywords),
  workflowId: row.workflow_id,
  runId: row.run_id,
  episodeId: row.source_id,
  thumbnail:
    row.media_id === null || row.media_name === null ? null : { id: row.media_id, name: row.media_name },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** In the order of `docs`. */
function listedClips(sqlite: Database.Database, docs: readonly number[]): ListedClip[] {
  if (docs.length === 0) return []
  const rows = docs.map((doc) => doc % 2 ** ROW_BITS)
  return sqlite
    .prepare<[string], ListedRow>(
      `select l.row, l.clip_id, l.workflow_id, l.run_id, l.title, l.duration, l.virality_score, l.aspect_ratio, l.people,
         l.keywords, l.tags, l.source_id, l.rendered, l.edited, l.render_state, l.post_states, l.created_at,
         l.updated_at, media.id as media_id, media.name as media_name
       from json_each(?) as wanted cross join listed_clips as l on l.row = wanted.value
       left join media on media.id = l.thumbnail_media order by wanted.key`,
    )
    .all(JSON.stringify(rows))
    .map(listedOf)
}
