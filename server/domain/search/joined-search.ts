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
import { hasPassages } from '../../db/passages.ts'
import { findEntry } from '../../db/search.ts'
import type { FoundPassage } from '../../db/passage-search/types.ts'
import type { Caller } from '../access/authorise.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { mediaAddresses, type MediaAddresses } from '../rendering/register-media.ts'
import type { Services } from '../services.ts'
import { findPassages, NOT_SEARCHED, type PassagesFound } from './find-passages.ts'
import { fuseRanks } from './fuse.ts'
import { markTerms, searchTerms, snippetOf, type SearchTerm } from './search-terms.ts'
import { findByWords, presentEntry, search, type FoundByWords } from './search.ts'

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
  readonly keys: readonly string[]
  /** The results with these keys; what is gone meanwhile is left out. */
  readonly present: (keys: readonly string[]) => SearchResult[]
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
  const place = cursor === undefined ? BEGINNING : readPlace(bound, cursor)
  const joins = place !== null && subjects.length > 0 && hasPassages(services.db, caller.companyId)
  const { cursor: _cursor, ...first } = query
  // Words are searched here while the model and the thread of passages are at work.
  const [found, words] = await Promise.all([
    subjects.length === 0
      ? NOT_SEARCHED
      : findPassages(services, caller.companyId, { query: query.query, terms }),
    Promise.resolve().then(() => (joins ? findByWords(services, caller, { ...first, limit: JOINED }) : null)),
  ])
  const meta = { meaning: found.meaning, warnings: [...found.warnings] }
  if (place === null || words === null || found.lists.every(({ passages }) => passages.length === 0)) {
    const page = search(services, caller, query)
    return { results: page.results, meta: { ...meta, nextCursor: page.nextCursor } }
  }
  const head = joinHead(services, caller, { subjects, found, words, baseUrl })
  const { results, next } = readOn(services, caller, query, {
    head,
    place,
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

const BEGINNING: Place = { offset: 0, cursor: null }

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
  const keys = head.keys.slice(place.offset, place.offset + limit)
  const results = head.present(keys)
  const offset = place.offset + keys.length
  if (offset < head.keys.length) return { results, next: { offset, cursor: null } }
  const shown = new Set(head.keys)
  let cursor = place.cursor ?? head.wordsCursor
  while (cursor !== null && results.length < limit) {
    const page = search(services, caller, { ...query, cursor, limit: limit - results.length })
    results.push(...page.results.filter((one) => !shown.has(keyOf(one))))
    cursor = page.nextCursor
  }
  return { results, next: cursor === null ? null : { offset, cursor } }
}

interface Joining {
  readonly subjects: readonly Subject[]
  readonly found: PassagesFound
  readonly words: FoundByWords
  readonly baseUrl: string
}

/** A passage, by what it was found, and its score among all passages of the search. */
interface RankedPassage {
  readonly passage: FoundPassage
  readonly foundBy: readonly FoundBy[]
  readonly score: number
}

/** A clip or a run with the passages that it was found by, best first. */
interface Spoken {
  readonly type: Subject
  readonly id: string
  readonly foundBy: Set<FoundBy>
  readonly passages: RankedPassage[]
}

function joinHead(services: Deps, caller: Company, joining: Joining): Head {
  const { baseUrl, words } = joining
  const byWords = new Map(
    words.found.map((one) => [keyOf({ type: one.row.kind, id: one.row.subjectId }), one.row]),
  )
  const { spoken, ranked } = groupPassages(joining)
  const scores = new Map(fuseRanks([[...byWords.keys()], ...ranked]).map(({ key, score }) => [key, score]))
  const present = (keys: readonly string[]): SearchResult[] => {
    const subjects = keys.flatMap((key) => spoken.get(key) ?? [])
    const addresses = addressesOf(services, baseUrl, subjects)
    return keys.flatMap((key) => {
      const subject = spoken.get(key)
      const known = byWords.get(key)
      const score = scores.get(key) ?? 0
      // The thing may be gone since the passages were read; the company is compared once more.
      const row =
        known ?? (subject && findEntry(services.db, caller.companyId, subject.type, subject.id)) ?? null
      if (row === null) return []
      const foundBy: FoundBy[] = [...(subject?.foundBy ?? [])]
      if (known !== undefined && !foundBy.includes('words')) foundBy.unshift('words')
      const result = presentEntry(words.terms, row, score, foundBy)
      if (subject === undefined) return [result]
      const passages = presentPassages(subject, words.terms, addresses)
      if (known !== undefined) return [{ ...result, passages }]
      return [
        { ...result, snippet: snippetOf(words.terms, subject.passages[0]?.passage.text ?? ''), passages },
      ]
    })
  }
  return { keys: [...scores.keys()], present, wordsCursor: words.nextCursor }
}

/** Clips and runs by their passages, and their order in each of the lists. */
function groupPassages({ found, subjects }: Joining): {
  spoken: ReadonlyMap<string, Spoken>
  ranked: readonly (readonly string[])[]
} {
  const spoken = new Map<string, Spoken>()
  for (const { passage, foundBy, score } of rankPassages(found)) {
    const subject = subjectOf(passage, subjects)
    if (subject === null) continue
    const key = keyOf(subject)
    const group = spoken.get(key) ?? { ...subject, foundBy: new Set<FoundBy>(), passages: [] }
    spoken.set(key, group)
    for (const by of foundBy) group.foundBy.add(by)
    if (!group.passages.some((known) => isSamePlace(known.passage, passage)))
      group.passages.push({ passage, foundBy, score })
  }
  const ranked = found.lists.map(({ passages }) =>
    passages.flatMap((passage) => {
      const subject = subjectOf(passage, subjects)
      return subject === null ? [] : [keyOf(subject)]
    }),
  )
  return { spoken, ranked }
}

const placeKey = ({ runId, chunk, start }: FoundPassage): string => JSON.stringify([runId, chunk, start])

/** The passages of all lists, joined by their ranks. */
function rankPassages({ lists }: PassagesFound): RankedPassage[] {
  const known = new Map<string, { passage: FoundPassage; foundBy: FoundBy[] }>()
  for (const { by, passages } of lists)
    for (const passage of passages) {
      const one = known.get(placeKey(passage)) ?? { passage, foundBy: [] }
      one.foundBy.push(by)
      known.set(placeKey(passage), one)
    }
  return fuseRanks(lists.map(({ passages }) => passages.map(placeKey))).flatMap(({ key, score }) => {
    const one = known.get(key)
    return one === undefined ? [] : [{ ...one, score }]
  })
}

/** The clip that a passage is in, else its run; null where neither kind is wanted. */
function subjectOf(
  { clipId, runId }: FoundPassage,
  subjects: readonly Subject[],
): { type: Subject; id: string } | null {
  if (clipId !== null && subjects.includes('clip')) return { type: 'clip', id: clipId }
  return subjects.includes('run') ? { type: 'run', id: runId } : null
}

function isSamePlace(a: FoundPassage, b: FoundPassage): boolean {
  if (a.chunk !== b.chunk) return false
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start)
  return shared > SAME_PLACE * Math.min(a.end - a.start, b.end - b.start)
}

function addressesOf(services: Deps, baseUrl: string, subjects: readonly Spoken[]): MediaAddresses {
  const shown = subjects.flatMap(({ passages }) => passages.slice(0, MAX_PASSAGES))
  const ids = shown.map(({ passage }) => passage.sourceMedia)
  return mediaAddresses(services, baseUrl, ids)
}

function presentPassages(
  { passages }: Spoken,
  terms: readonly SearchTerm[],
  addresses: MediaAddresses,
): SearchPassage[] {
  return passages.slice(0, MAX_PASSAGES).map(({ passage, foundBy, score }) => ({
    runId: passage.runId,
    clipId: passage.clipId,
    chunkIndex: passage.chunk,
    start: passage.start,
    end: passage.end,
    text: markTerms(terms, passage.text),
    foundBy: [...foundBy],
    score,
    sourceUrl: addresses(passage.sourceMedia) ?? null,
  }))
}
