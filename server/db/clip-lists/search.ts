/** Answers searches of clips from the indexes of a database (schema-listed-clips.ts), which it only reads. */
import type Database from 'better-sqlite3'
import type { ClipFacets } from '../../contract/tenant-api/clip.ts'
import { listOfCompany, workOut, type Filter } from './filter.ts'
import { findPage, PAGE_LIMITS, type PageLimits } from './pages.ts'
import { createFindByWords, FEW_WITH_WORDS } from './source.ts'
import { countClips, countFacets } from './totals.ts'
import type { ClipFindings, ClipSearch, ListedClip } from './types.ts'
import { ROW_BITS } from './index-sql.ts'
import { statusesOf, type StatusFacts } from './statuses.ts'
import { createCache } from '../cache.ts'

const NO_FACETS: ClipFacets = { tags: [], statuses: [], people: [], keywords: [] }

interface Totals {
  total?: number
  facets?: ClipFacets
}

/** better-sqlite3 frees statements only when they are collected, when thousands may be waiting. */
const KEPT_STATEMENTS = 100

/** The same database, which prepares a statement of the same text once; each text is used in one way only. */
function withKeptStatements(sqlite: Database.Database): Database.Database {
  const cache = createCache<Database.Statement>(KEPT_STATEMENTS)
  const prepare = (text: string): Database.Statement => cache(text, () => sqlite.prepare(text))
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
  const cache = createCache<Totals>(CACHED)
  const findByWords = createFindByWords(sqlite, limits.fewWithWords)

  const totalsOf = ({ filter, count, facets }: ClipSearch, worked: Filter): Totals => {
    const { number, revision } = worked.list
    const totals = cache(JSON.stringify([number, revision, filter]), () => ({}))
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

/** Lists as JSON, truth as 0 and 1. */
type ListedRow = Omit<ListedClip, 'tags' | 'people' | 'keywords' | 'statuses' | 'thumbnail'> &
  Pick<StatusFacts, 'renderState' | 'postStates'> &
  Record<'tags' | 'people' | 'keywords', string> &
  Record<'rendered' | 'edited', number> &
  Record<'mediaToken' | 'mediaName', string | null>

const names = (json: string): readonly string[] => JSON.parse(json) as string[]

const listedOf = ({
  rendered,
  edited,
  renderState,
  postStates,
  mediaToken,
  mediaName,
  ...row
}: ListedRow): ListedClip => ({
  ...row,
  tags: names(row.tags),
  people: names(row.people),
  keywords: names(row.keywords),
  statuses: statusesOf({ rendered: rendered === 1, edited: edited === 1, renderState, postStates }),
  thumbnail: mediaToken === null || mediaName === null ? null : { token: mediaToken, name: mediaName },
})

/** In the order of `docs`. */
function listedClips(sqlite: Database.Database, docs: readonly number[]): ListedClip[] {
  if (docs.length === 0) return []
  const rows = docs.map((doc) => doc % 2 ** ROW_BITS)
  return sqlite
    .prepare<[string], ListedRow>(
      `select l.clip_id as id, l.workflow_id as workflowId, l.run_id as runId, l.title, l.duration,
         l.virality_score as viralityScore, l.aspect_ratio as aspectRatio, l.people, l.keywords, l.tags,
         l.source_id as episodeId, l.rendered, l.edited, l.render_state as renderState, l.post_states as postStates,
         l.created_at as createdAt, l.updated_at as updatedAt, media.token as mediaToken, media.name as mediaName
       from json_each(?) as wanted cross join listed_clips as l on l.row = wanted.value
       left join media on media.id = l.thumbnail_media order by wanted.key`,
    )
    .all(JSON.stringify(rows))
    .map(listedOf)
}
