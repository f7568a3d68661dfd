/** PURE: which rows of a table fit a filter, and how often each term occurs among them. */
import { FACET_LIMITS, type ClipFacets, type FacetName } from '../../contract/tenant-api/clip.ts'
import { keepCommon, type Bits } from './bits.ts'
import { keepBetween, type Range } from './orders.ts'
import { addTo, type Postings } from './postings.ts'
import type { ClipFilter } from './protocol.ts'
import type { ClipTable, TermKind } from './table.ts'
import { keyOf, wordsOf } from './words.ts'

/** The rows that fit. */
export function rowsThatFit(table: ClipTable, filter: ClipFilter): Bits {
  const rows = rowsOfTerms(table, filter)
  for (const { column, min, max } of rangesOf(filter)) keepBetween(table, rows, column, { min, max })
  return rows
}

/** What a filter says of numbers. */
export function rangesOf(filter: ClipFilter): Range[] {
  const { durationMin, durationMax, modifiedAfter, modifiedBefore } = filter
  const ranges: readonly Range[] = [
    { column: 'duration', min: durationMin ?? -Infinity, max: durationMax ?? Infinity },
    { column: 'updated_at', min: modifiedAfter ?? -Infinity, max: modifiedBefore ?? Infinity },
  ]
  return ranges.filter(({ min, max }) => min > -Infinity || max < Infinity)
}

/** The rows that fit what the filter says of anything but numbers. */
export function rowsOfTerms(table: ClipTable, filter: ClipFilter): Bits {
  const rows = table.live.slice()
  const keepAny = (kind: TermKind, keys: readonly string[]): void =>
    keepAnyOf(
      rows,
      keys.map((key) => table.terms[kind].get(key)),
    )
  const keepOne = (kind: TermKind, key: string | undefined): void => {
    if (key !== undefined) keepAny(kind, [key])
  }
  keepOne('workflow', filter.workflowId)
  keepOne('run', filter.runId)
  keepOne('episode', filter.episodeId)
  keepOne('aspectRatio', filter.aspectRatio)
  keepOne('statuses', filter.status)
  for (const kind of ['tags', 'statuses', 'keywords'] as const) {
    const names = filter[kind]
    if (names !== undefined && names.length > 0) keepAny(kind, names.map(keyOf))
  }
  const { people = [] } = filter
  if (filter.personMode === 'all') for (const person of people) keepAny('people', [keyOf(person)])
  else if (people.length > 0) keepAny('people', people.map(keyOf))
  for (const postings of postingsOfQuery(table, filter.query ?? '')) keepAnyOf(rows, postings)
  return rows
}

function keepAnyOf(rows: Bits, postings: readonly (Postings | undefined)[]): void {
  const [only] = postings
  if (postings.length === 1 && only?.bits != null) {
    keepCommon(rows, only.bits)
    return
  }
  const any = new Uint32Array(rows.length)
  for (const one of postings) addTo(any, one)
  keepCommon(rows, any)
}

/** From so many characters on the last word may be the beginning of one. */
const MIN_BEGINNING = 3

/** For each word of the query what any of it fits. */
function postingsOfQuery(table: ClipTable, query: string): (Postings | undefined)[][] {
  const words = [...new Set(wordsOf(query))]
  // A space at the end says that the last word is complete.
  const open = /[\p{L}\p{N}\p{M}]$/u.test(query) ? words.at(-1) : undefined
  return words.map((word) => {
    const beginning = word === open && [...word].length >= MIN_BEGINNING
    return (beginning ? wordsThatBegin(table, word) : [word]).map((one) => table.terms.word.get(one))
  })
}

/** So many words may be new before all of them are sorted again. */
const UNSORTED = 5000

function wordsThatBegin(table: ClipTable, beginning: string): string[] {
  const { words } = table
  if (words.list.length - words.sortedUpTo > UNSORTED || words.sorted.length === 0) {
    words.sorted = words.list.toSorted()
    words.sortedUpTo = words.list.length
  }
  let low = 0
  let high = words.sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((words.sorted[middle] ?? '') < beginning) low = middle + 1
    else high = middle
  }
  const found: string[] = []
  for (let at = low; words.sorted[at]?.startsWith(beginning) === true; at += 1)
    found.push(words.sorted[at] ?? '')
  for (let at = words.sortedUpTo; at < words.list.length; at += 1)
    if (words.list[at]?.startsWith(beginning) === true) found.push(words.list[at] ?? '')
  return found
}

interface Counted {
  readonly value: string
  readonly count: number
}

const isBefore = (a: Counted, b: Counted): boolean =>
  a.count === b.count ? a.value < b.value : a.count > b.count

/** Rows whose terms are counted in one step. */
const STEP_WORDS = 512

/** How often each term occurs among the rows; in small steps, between which other work may be done. */
export function* facetsOf(table: ClipTable, rows: Bits): Generator<undefined, ClipFacets> {
  const counts = new Uint32Array(table.facets.terms.length)
  for (let word = 0; word < rows.length; word += STEP_WORDS) {
    countTerms(table, rows, word, Math.min(rows.length, word + STEP_WORDS), counts)
    yield
  }
  const facets: Record<FacetName, Counted[]> = { tags: [], statuses: [], people: [], keywords: [] }
  for (const [number, count] of counts.entries()) {
    const term = table.facets.terms[number]
    if (count === 0 || term === undefined) continue
    const best = facets[term.kind]
    const one = { value: term.label, count }
    const last = best.at(-1)
    if (best.length === FACET_LIMITS[term.kind] && last !== undefined && isBefore(last, one)) continue
    const place = best.findIndex((other) => isBefore(one, other))
    best.splice(place === -1 ? best.length : place, 0, one)
    if (best.length > FACET_LIMITS[term.kind]) best.pop()
  }
  return facets
}

/** Counts the terms of the rows in these words of the set. */
function countTerms(table: ClipTable, rows: Bits, from: number, to: number, counts: Uint32Array): void {
  const { numbers, starts } = table.facets
  for (let word = from; word < to; word += 1) {
    for (let left = rows[word] ?? 0; left !== 0; left &= left - 1) {
      const row = word * 32 + 31 - Math.clz32(left & -left)
      const end = starts[row + 1] ?? 0
      for (let at = starts[row] ?? 0; at < end; at += 1) {
        const number = numbers[at] ?? 0
        counts[number] = (counts[number] ?? 0) + 1
      }
    }
  }
}
