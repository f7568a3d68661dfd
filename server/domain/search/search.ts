/**
 * Search by words: everything of a company, and the guide, by words. What matches in its title or tags comes before what
 * matches in its text. Within each of the two, matches are taken in windows of the newest few hundred, and ranked inside a
 * window by BM25 (newer first among equals): a word that is in a million clips costs what a rare one does, and every match
 * is on some page. Where all words are common ones, titles and tags of the newest 200,000 entries only come first: in older
 * ones they count as any other text does.
 */
import type { SearchQuery, SearchResult } from '../../contract/tenant-api/search.ts'
import { DEFAULT_PAGE } from '../../contract/tenant-api/envelope.ts'
import {
  countMatches,
  findMatches,
  findNamed,
  newestEntry,
  scopeMatch,
  type SearchRow,
} from '../../db/search.ts'
import type { Caller } from '../access/authorise.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { storeGuide } from './guide.ts'
import {
  countTerms,
  markTerms,
  matchAll,
  searchTerms,
  snippetOf,
  wordsOfTerm,
  type SearchTerm,
} from './search-terms.ts'
import type { ClockServices, Services } from '../services.ts'

/** How much is looked at. */
export interface SearchLimits {
  /** Matches that are ranked together. */
  readonly window: number
  /** A word in so many texts counts as a common one, however many there are. */
  readonly counted: number
  /** Entries whose titles and tags come first where all words are common. */
  readonly named: number
}

const LIMITS: SearchLimits = { window: 300, counted: 2000, named: 200_000 }
/** A word in so many texts of all companies is a common one. */
const COMMON = 10_000
/** This many words of a phrase are counted to find how rare it is. */
const PHRASE_WORDS = 8
const ANYWHERE = ['title', 'tags', 'body']
/** Up to this many entries every beginning of a word is looked up, however short and however common. */
const SMALL_INDEX = 50_000

const WEIGHTS = { title: 5, tags: 3, body: 1 }
const K1 = 1.2
const B = 0.75
const DEFAULT_LENGTH = 150

/** The numbers of a place, in the order in which a cursor has them. */
const PLACE = ['top', 'floor', 'tier', 'upper', 'lower', 'score', 'seq'] as const
/**
 * The beginning of a page: the newest entry at the first page; the oldest whose title and tags come first; 0 for matches
 * in titles and tags, 1 for others; the window (`lower` 0: not known yet); and the last result before it.
 */
type Place = Readonly<Record<(typeof PLACE)[number], number>>

interface Found {
  readonly row: SearchRow
  readonly score: number
}

interface Search {
  readonly companyId: string
  readonly terms: readonly SearchTerm[]
  readonly weights: readonly number[]
  /** None of the words is a rare one. */
  readonly common: boolean
  readonly limits: SearchLimits
  /** The MATCH of what has all words, in titles and tags or anywhere. */
  readonly names: string
  readonly words: string
}

/** The weight of a word: rare ones more. Counts are rounded, so that one more entry does not change the order. */
function rarity(found: number, entries: number): number {
  const about = 2 ** Math.round(Math.log2(found + 1))
  return Math.log(1 + Math.max(1, 2 ** Math.round(Math.log2(entries + 1))) / about)
}

/** The MATCH of every text of a scope. */
const inScope = (scope: string, match: string): string => `(${scope}) AND (${match})`

/**
 * A last word that is common is not searched as a prefix: the index would have to collect everything that begins so
 * before the first match is known.
 */
function settleTerms(db: Services['db'], terms: readonly SearchTerm[], small: boolean): SearchTerm[] {
  return terms.map((term) => {
    if (!term.prefix || small) return term
    const whole = { ...term, prefix: false }
    return countMatches(db, matchAll([whole], ANYWHERE), COMMON) === COMMON ? whole : term
  })
}

function prepare(
  services: ClockServices,
  companyId: string,
  given: readonly SearchTerm[],
  { types, small, limits }: { types: string[] | null; small: boolean; limits: SearchLimits },
): Search {
  const scope = scopeMatch(companyId, types)
  const entries = newestEntry(services.db)
  // Whole words only: prefixes and phrases are costly to count, and a phrase weighs as much as its rarest word.
  const countOf = (word: string): number =>
    countMatches(services.db, inScope(scope, `{${ANYWHERE.join(' ')}} : (${word})`), limits.counted)
  const counts = given.map((term) => Math.min(...wordsOfTerm(term).slice(0, PHRASE_WORDS).map(countOf)))
  const terms = settleTerms(services.db, given, small)
  return {
    companyId,
    terms,
    limits,
    weights: counts.map((count) => rarity(count, entries)),
    common: counts.every((count) => count === limits.counted),
    names: inScope(scope, matchAll(terms, ['title', 'tags'])),
    words: inScope(scope, matchAll(terms, ANYWHERE)),
  }
}

function scoreOf({ terms, weights }: Search, row: SearchRow): number {
  const fields = (['title', 'tags', 'body'] as const).map((field) => ({
    ...countTerms(terms, row[field]),
    weight: WEIGHTS[field],
  }))
  const length = fields.reduce((sum, field) => sum + field.length, 0)
  const norm = K1 * (1 - B + (B * length) / DEFAULT_LENGTH)
  const score = weights.reduce((sum, weight, index) => {
    const often = fields.reduce((total, field) => total + (field.counts[index] ?? 0) * field.weight, 0)
    return sum + (weight * often * (K1 + 1)) / (often + norm)
  }, 0)
  return Math.round(score * 1e4) / 1e4
}

/** A window of one tier, best first, where it ends, and whether there is `more` below. */
function readWindow(
  services: ClockServices,
  search: Search,
  place: Place,
): { found: Found[]; lower: number; more: boolean } {
  const { tier, upper, lower, floor } = place
  const oldest = tier === 0 ? floor : 1
  const window = {
    companyId: search.companyId,
    from: Math.max(oldest, lower),
    to: upper,
    limit: search.limits.window,
  }
  const rows =
    tier === 0
      ? findMatches(services.db, 'names', { ...window, match: search.names })
      : findMatches(services.db, 'words', { ...window, match: search.words })
  // A window that was read before ends where it ended then.
  const end = lower > 0 ? lower : rows.length < search.limits.window ? oldest : (rows.at(-1)?.seq ?? oldest)
  const named = { from: Math.max(end, floor), to: upper }
  const shown =
    tier === 0 || named.from > named.to
      ? new Set<number>()
      : findNamed(services.db, search.names, named.from, named.to)
  const found = rows
    .filter(({ seq }) => !shown.has(seq))
    .map((row) => ({ row, score: scoreOf(search, row) }))
    .sort((a, b) => b.score - a.score || b.row.seq - a.row.seq)
  return { found, lower: end, more: end > oldest }
}

const isAfter = ({ row, score }: Found, place: Place): boolean =>
  place.seq === 0 || score < place.score || (score === place.score && row.seq < place.seq)

/** Results from a place on, and the place of the next page; null: there is none. */
function collect(
  services: ClockServices,
  search: Search,
  start: Place,
  limit: number,
): { found: Found[]; next: Place | null } {
  const found: Found[] = []
  let place = start
  for (;;) {
    const window = readWindow(services, search, place)
    const rest = window.found.filter((one) => isAfter(one, place))
    const taken = rest.slice(0, limit - found.length)
    found.push(...taken)
    const last = taken.at(-1)
    if (rest.length > taken.length && last !== undefined)
      return { found, next: { ...place, lower: window.lower, score: last.score, seq: last.row.seq } }
    const next = windowAfter(place, window)
    if (next === null) return { found, next }
    place = next
    if (found.length === limit) return { found, next: firstFilled(services, search, place) }
  }
}

/** Where the next window begins; null after the last one. */
function windowAfter(place: Place, { lower, more }: { lower: number; more: boolean }): Place | null {
  const fresh = { top: place.top, floor: place.floor, lower: 0, score: 0, seq: 0 }
  if (more) return { ...fresh, tier: place.tier, upper: lower - 1 }
  return place.tier === 0 ? { ...fresh, tier: 1, upper: place.top } : null
}

/** The first window from here on that has anything: a page is not promised that would be empty. */
function firstFilled(services: ClockServices, search: Search, start: Place): Place | null {
  for (let place: Place | null = start; place !== null;) {
    const window = readWindow(services, search, place)
    if (window.found.length > 0) return place
    place = windowAfter(place, window)
  }
  return null
}

const TITLE_LENGTH = 120

/** What has no title of its own is called by its beginning. */
function titleOf({ title, body, kind, subjectId }: SearchRow): string {
  const text = (title === '' ? body : title).replaceAll(/\s+/gu, ' ').trim()
  const characters = [...text]
  if (characters.length === 0) return `${kind} ${subjectId}`
  return characters.length > TITLE_LENGTH && title === ''
    ? `${characters.slice(0, TITLE_LENGTH).join('')}…`
    : text
}

/** An entry as a result. `found`: by what it was found. */
export function presentEntry(
  terms: readonly SearchTerm[],
  row: SearchRow,
  score: number,
  foundBy: SearchResult['foundBy'] = ['words'],
): SearchResult {
  const title = titleOf(row)
  const text = row.tags === '' ? row.body : `${row.body}\n${row.tags}`
  return {
    type: row.kind,
    id: row.subjectId,
    title,
    score,
    titleParts: markTerms(terms, title),
    snippet: snippetOf(terms, text),
    foundBy,
    passages: [],
    updatedAt: new Date(row.at).toISOString(),
  }
}

const placeOf = (position: readonly unknown[]): Place =>
  Object.fromEntries(PLACE.map((name, index) => [name, Number(position[index])])) as Place

/** What words find on one page, as rows of the index. */
export interface FoundByWords {
  readonly found: readonly Found[]
  readonly terms: readonly SearchTerm[]
  readonly nextCursor: string | null
}

/** One page. A query without any word finds nothing. `limits`: smaller ones for tests. Throws INVALID_CURSOR. */
export function search(
  services: ClockServices,
  caller: Pick<Caller, 'companyId'>,
  query: SearchQuery,
  limits = LIMITS,
): { results: SearchResult[]; nextCursor: string | null } {
  const { found, terms, nextCursor } = findByWords(services, caller, query, limits)
  return { results: found.map(({ row, score }) => presentEntry(terms, row, score)), nextCursor }
}

/** The same without the texts that results have, which take longer than to find them. Throws INVALID_CURSOR. */
export function findByWords(
  services: ClockServices,
  caller: Pick<Caller, 'companyId'>,
  query: SearchQuery,
  limits = LIMITS,
): FoundByWords {
  const { limit = DEFAULT_PAGE, cursor } = query
  const types =
    query.types === undefined || query.types.length === 0 ? null : [...new Set(query.types)].sort()
  if (types === null || types.includes('doc')) storeGuide(services)
  const { companyId } = caller
  const bound = { list: 'search', companyId, query: query.query, types }
  const given = cursor === undefined ? null : placeOf(decodeCursor(bound, cursor, PLACE.length))
  const top = given?.top ?? newestEntry(services.db)
  const small = top <= SMALL_INDEX
  const terms = searchTerms(query.query, { shortPrefixes: small })
  if (terms.length === 0) return { found: [], terms, nextCursor: null }
  const prepared = prepare(services, companyId, terms, { types, small, limits })
  const floor = prepared.common ? Math.max(1, top - limits.named + 1) : 1
  const start = given ?? { top, floor, tier: 0, upper: top, lower: 0, score: 0, seq: 0 }
  const { found, next } = collect(services, prepared, start, limit)
  const nextCursor =
    next &&
    encodeCursor(
      bound,
      PLACE.map((name) => next[name]),
    )
  return { found, terms: prepared.terms, nextCursor }
}
