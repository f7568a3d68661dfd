/**
 * GET /search: what the words find everywhere, and the passages of transcripts that words and meaning find, joined by
 * their ranks. What is found by words beyond the joined part follows it page by page.
 */
import { AppError } from '../../contract/errors.ts'
import { DEFAULT_PAGE } from '../../contract/tenant-api/envelope.ts'
import {
  MAX_PASSAGES,
  type FoundBy,
  type SearchMeta,
  type SearchPassage,
  type SearchQuery,
  type SearchResult,
} from '../../contract/tenant-api/search.ts'
import { findEntry } from '../../db/search.ts'
import type { FoundPassage } from '../../db/passage-search/types.ts'
import type { Caller } from '../access/authorise.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { mediaAddresses } from '../rendering/register-media.ts'
import type { Services } from '../services.ts'
import { findPassages, NOT_SEARCHED, type PassagesFound } from './find-passages.ts'
import { fuseRanks } from './fuse.ts'
import { markTerms, searchTerms, snippetOf, type SearchTerm } from './search-terms.ts'
import { presentEntry, search } from './search.ts'

/** So many results by words are joined with the passages. */
const JOINED = 100
/** Two passages are one place where they share this part of the shorter one. */
const SAME_PLACE = 0.3

type Deps = Pick<Services, 'db' | 'now' | 'jobs' | 'log'>
type Company = Pick<Caller, 'companyId'>
type Subject = 'clip' | 'run'

interface Page {
  readonly results: readonly SearchResult[]
  readonly meta: SearchMeta
}

/** Results by words and by meaning, best first, and the place after which words alone go on; null: nowhere. */
interface Head {
  readonly results: readonly SearchResult[]
  readonly wordsCursor: string | null
}

/** One page. `baseUrl`: of addresses in it. Throws INVALID_CURSOR. */
export async function searchEverything(
  services: Deps,
  caller: Company,
  query: SearchQuery,
  baseUrl: string,
): Promise<Page> {
  const { limit = DEFAULT_PAGE, cursor, types = [] } = query
  const bound = {
    list: 'joined-search',
    companyId: caller.companyId,
    query: query.query,
    types: [...types].sort(),
  }
  const subjects = (['clip', 'run'] as const).filter((kind) => types.length === 0 || types.includes(kind))
  const terms = searchTerms(query.query, { shortPrefixes: false })
  const found =
    subjects.length === 0
      ? NOT_SEARCHED
      : await findPassages(services, caller.companyId, { query: query.query, terms })
  const { meaning, warnings } = found
  const meta = { meaning, warnings: [...warnings] }
  const place = cursor === undefined ? null : readPlace(bound, cursor)
  const plain = found.lists.every(({ passages }) => passages.length === 0)
  if (plain || (cursor !== undefined && place === null)) {
    const page = search(services, caller, query)
    return { results: page.results, meta: { ...meta, nextCursor: page.nextCursor } }
  }
  const head = joinHead(services, caller, query, { terms, subjects, found, baseUrl })
  const { results, next } = readOn(services, caller, query, {
    head,
    place: place ?? { offset: 0, cursor: null },
    limit,
  })
  const nextCursor = next === null ? null : encodeCursor(bound, [next.offset, next.cursor ?? ''])
  return { results, meta: { ...meta, nextCursor } }
}

/** In the joined part, then (with a cursor) in what words find after it. */
interface Place {
  readonly offset: number
  readonly cursor: string | null
}

/** Null: it is a cursor of a search by words alone. */
function readPlace(bound: unknown, cursor: string): Place | null {
  try {
    const [offset, words] = decodeCursor(bound, cursor, 2)
    return { offset: Number(offset), cursor: words === '' ? null : String(words) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_CURSOR') return null
    throw error
  }
}

const keyOf = ({ type, id }: Pick<SearchResult, 'type' | 'id'>): string => `${type} ${id}`

function readOn(
  services: Deps,
  caller: Company,
  query: SearchQuery,
  { head, place, limit }: { head: Head; place: Place; limit: number },
): { results: SearchResult[]; next: Place | null } {
  const results = head.results.slice(place.offset, place.offset + limit)
  const offset = place.offset + results.length
  const begun = place.cursor ?? head.wordsCursor
  if (offset < head.results.length) return { results, next: { offset, cursor: null } }
  const shown = new Set(head.results.map(keyOf))
  let cursor = begun
  while (cursor !== null && results.length < limit) {
    const page = search(services, caller, { ...query, cursor, limit: limit - results.length })
    results.push(...page.results.filter((one) => !shown.has(keyOf(one))))
    cursor = page.nextCursor
  }
  return { results, next: cursor === null ? null : { offset, cursor } }
}

interface Joining {
  readonly terms: readonly SearchTerm[]
  readonly subjects: readonly Subject[]
  readonly found: PassagesFound
  readonly baseUrl: string
}

/** A clip or a run with the passages that it was found by, best first. */
interface Spoken {
  readonly type: Subject
  readonly id: string
  readonly foundBy: Set<FoundBy>
  readonly passages: { readonly passage: FoundPassage; readonly foundBy: Set<FoundBy> }[]
}

function joinHead(services: Deps, caller: Company, query: SearchQuery, joining: Joining): Head {
  const { terms, baseUrl } = joining
  const { cursor: _cursor, ...first } = query
  const words = search(services, caller, { ...first, limit: JOINED })
  const byWords = new Map(words.results.map((one) => [keyOf(one), one]))
  const { spoken, ranked } = groupPassages(joining)
  const present = presenter(services, terms, baseUrl, spoken)
  const results = fuseRanks([[...byWords.keys()], ...ranked]).flatMap(({ key, score }) => {
    const subject = spoken.get(key)
    const known = byWords.get(key)
    const foundBy: FoundBy[] = [...(subject?.foundBy ?? [])]
    if (known !== undefined && !foundBy.includes('words')) foundBy.unshift('words')
    if (subject === undefined) return known === undefined ? [] : [{ ...known, score }]
    const passages = present(subject)
    if (known !== undefined) return [{ ...known, score, foundBy, passages }]
    // The thing may be gone since the passages were read; the company is asked for once more.
    const row = findEntry(services.db, caller.companyId, subject.type, subject.id)
    if (row === null) return []
    const snippet = snippetOf(terms, subject.passages[0]?.passage.text ?? '')
    return [{ ...presentEntry(terms, row, score, foundBy), snippet, passages }]
  })
  return { results, wordsCursor: words.nextCursor }
}

/** Clips and runs by their passages, and their order in each of the lists. */
function groupPassages({ found, subjects }: Joining): {
  spoken: ReadonlyMap<string, Spoken>
  ranked: readonly (readonly string[])[]
} {
  const spoken = new Map<string, Spoken>()
  const ranked = found.lists.map(({ by, passages }) =>
    passages.flatMap((passage) => {
      const subject = subjectOf(passage, subjects)
      if (subject === null) return []
      const key = keyOf(subject)
      const group = spoken.get(key) ?? { ...subject, foundBy: new Set<FoundBy>(), passages: [] }
      spoken.set(key, group)
      group.foundBy.add(by)
      addPassage(group, passage, by)
      return [key]
    }),
  )
  return { spoken, ranked }
}

/** The clip that a passage is in, else its run; null where neither kind is wanted. */
function subjectOf(
  { clipId, runId }: FoundPassage,
  subjects: readonly Subject[],
): { type: Subject; id: string } | null {
  if (clipId !== null && subjects.includes('clip')) return { type: 'clip', id: clipId }
  return subjects.includes('run') ? { type: 'run', id: runId } : null
}

function addPassage({ passages }: Spoken, passage: FoundPassage, by: FoundBy): void {
  const same = passages.find((known) => isSamePlace(known.passage, passage))
  if (same === undefined) passages.push({ passage, foundBy: new Set([by]) })
  else if (same.passage.start === passage.start) same.foundBy.add(by)
}

function isSamePlace(a: FoundPassage, b: FoundPassage): boolean {
  if (a.chunk !== b.chunk) return false
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start)
  return shared > SAME_PLACE * Math.min(a.end - a.start, b.end - b.start)
}

function presenter(
  services: Deps,
  terms: readonly SearchTerm[],
  baseUrl: string,
  spoken: ReadonlyMap<string, Spoken>,
): (subject: Spoken) => SearchPassage[] {
  const shown = [...spoken.values()].flatMap(({ passages }) => passages.slice(0, MAX_PASSAGES))
  const addresses = mediaAddresses(
    services,
    baseUrl,
    shown.map(({ passage }) => passage.sourceMedia),
  )
  return ({ passages }) =>
    passages.slice(0, MAX_PASSAGES).map(({ passage, foundBy }) => ({
      runId: passage.runId,
      clipId: passage.clipId,
      chunkIndex: passage.chunk,
      start: passage.start,
      end: passage.end,
      text: markTerms(terms, passage.text),
      foundBy: [...foundBy],
      sourceUrl: addresses(passage.sourceMedia) ?? null,
    }))
}
