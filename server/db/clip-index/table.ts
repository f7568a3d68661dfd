/**
 * All clips of one company in memory, column by column. Rows are never changed: an edited clip is a new row, and its old
 * one is no longer live. So whatever was worked out from rows stays true while it is used.
 */
import type { ClipStatus } from '../../contract/tenant-api/clip.ts'
import { clearBit, setBit, withRoom, type Bits } from './bits.ts'
import { newOrders, type Orders } from './orders.ts'
import { addRow, newPostings, type Postings } from './postings.ts'
import { addText, newTexts, type Texts } from './texts.ts'
import { keyOf, sortTextOf, wordsOf } from './words.ts'

/** A clip as it goes into the table. */
export interface ClipEntry {
  /** Its row in `listed_clips`. */
  readonly key: number
  readonly id: string
  readonly workflowId: string
  readonly runId: string | null
  /** Every id by which its episode or source is called. */
  readonly episodes: readonly string[]
  readonly title: string
  readonly bio: string
  readonly duration: number
  readonly viralityScore: number
  readonly aspectRatio: string
  readonly people: readonly string[]
  readonly keywords: readonly string[]
  readonly tags: readonly string[]
  readonly statuses: readonly ClipStatus[]
  readonly createdAt: number
  readonly updatedAt: number
}

export const NUMBER_COLUMNS = ['created_at', 'updated_at', 'duration', 'virality_score'] as const
export type NumberColumn = (typeof NUMBER_COLUMNS)[number]

/** Kinds of terms; the first four are facets. */
export const TERM_KINDS = [
  'tags',
  'statuses',
  'people',
  'keywords',
  'aspectRatio',
  'workflow',
  'run',
  'episode',
  'word',
] as const
export type TermKind = 'tags' | 'statuses' | 'people' | 'keywords' | OtherKind
type OtherKind = 'aspectRatio' | 'workflow' | 'run' | 'episode' | 'word'

export type Terms = Map<string, Postings>

/** Which terms of facets each row has, row after row: what occurs in many rows is counted along them. */
export interface FacetTerms {
  /** Terms by their number. */
  readonly terms: { readonly kind: NamedKind; readonly label: string }[]
  /** Numbers of the terms of all rows. */
  numbers: Uint32Array
  /** Where those of each row begin; one more than there are rows. */
  starts: Uint32Array
}

export interface ClipTable {
  rows: number
  live: Bits
  liveRows: number
  readonly numbers: Readonly<Record<NumberColumn, { values: Float64Array }>>
  /** Rows in `listed_clips`. */
  readonly keys: { values: Float64Array }
  /** The first bytes of each id as a number, which most often decides between two ids. */
  readonly idHeads: { values: Float64Array }
  readonly ids: Texts
  readonly titles: Texts
  /** The row in which a clip is now, by its row in `listed_clips`. */
  readonly rowOf: Map<number, number>
  readonly terms: Readonly<Record<TermKind, Terms>>
  /** The terms that a name stands for, by the name as it is written. */
  readonly names: Readonly<Record<NamedKind, Map<string, Postings[]>>>
  readonly facets: FacetTerms
  /** Clips are found by their words: those that come are, too. Most of the work, done when somebody asks for words. */
  worded: boolean
  /** Words in the order in which they came, for those that begin alike. */
  readonly words: { readonly list: string[]; sorted: string[]; sortedUpTo: number }
  readonly orders: Orders
}

const numbers = (): { values: Float64Array } => ({ values: new Float64Array(64) })

export function newTable(): ClipTable {
  return {
    rows: 0,
    live: new Uint32Array(2),
    liveRows: 0,
    numbers: {
      created_at: numbers(),
      updated_at: numbers(),
      duration: numbers(),
      virality_score: numbers(),
    },
    keys: numbers(),
    idHeads: numbers(),
    ids: newTexts(),
    titles: newTexts(),
    rowOf: new Map(),
    terms: Object.fromEntries(TERM_KINDS.map((kind) => [kind, new Map()])) as unknown as ClipTable['terms'],
    names: { tags: new Map(), statuses: new Map(), people: new Map(), keywords: new Map() },
    facets: { terms: [], numbers: new Uint32Array(64), starts: new Uint32Array(64) },
    worded: false,
    words: { list: [], sorted: [], sortedUpTo: 0 },
    orders: newOrders(),
  }
}

function put(column: { values: Float64Array }, row: number, value: number): void {
  if (row >= column.values.length) {
    const grown = new Float64Array(column.values.length * 2)
    grown.set(column.values)
    column.values = grown
  }
  column.values[row] = value
}

export function idHead(id: string): number {
  const bytes = Buffer.from(id.slice(0, 6))
  let head = 0
  for (let at = 0; at < 6; at += 1) head = head * 256 + (bytes[at] ?? 0)
  return head
}

/** Takes the clip out, if it is in. */
export function removeEntry(table: ClipTable, key: number): void {
  const row = table.rowOf.get(key)
  if (row === undefined) return
  table.rowOf.delete(key)
  clearBit(table.live, row)
  table.liveRows -= 1
}

/** Adds a clip that is not in; it is in no order before `addToOrders`. Answers its row. */
export function addEntry(table: ClipTable, entry: ClipEntry): number {
  const row = table.rows
  table.rows += 1
  table.live = withRoom(table.live, row + 1)
  setBit(table.live, row)
  table.liveRows += 1
  table.rowOf.set(entry.key, row)
  put(table.keys, row, entry.key)
  put(table.idHeads, row, idHead(entry.id))
  put(table.numbers.created_at, row, entry.createdAt)
  put(table.numbers.updated_at, row, entry.updatedAt)
  put(table.numbers.duration, row, entry.duration)
  put(table.numbers.virality_score, row, entry.viralityScore)
  addText(table.ids, entry.id)
  addText(table.titles, sortTextOf(entry.title))
  let end = table.facets.starts[row] ?? 0
  end = addNames(table, row, 'tags', entry.tags, end)
  end = addNames(table, row, 'people', entry.people, end)
  end = addNames(table, row, 'keywords', entry.keywords, end)
  end = addNames(table, row, 'statuses', entry.statuses, end)
  table.facets.starts = withNumber(table.facets.starts, row + 1, end)
  addTerm(table, row, 'aspectRatio', entry.aspectRatio)
  addTerm(table, row, 'workflow', entry.workflowId)
  if (entry.runId !== null) addTerm(table, row, 'run', entry.runId)
  for (const episode of entry.episodes) addTerm(table, row, 'episode', episode)
  if (table.worded) addWords(table, row, entry)
  return row
}

/** Makes a clip that is in to be found by its words; rows come in their order. */
export function addWords(
  table: ClipTable,
  row: number,
  { title, bio, people, keywords }: Pick<ClipEntry, 'title' | 'bio' | 'people' | 'keywords'>,
): void {
  for (const text of [title, bio, ...people, ...keywords])
    for (const word of wordsOf(text)) addTerm(table, row, 'word', word)
}

type NamedKind = 'tags' | 'statuses' | 'people' | 'keywords'

function withNumber(list: Uint32Array, at: number, value: number): Uint32Array {
  const room = at < list.length ? list : new Uint32Array(list.length * 2)
  if (room !== list) room.set(list)
  room[at] = value
  return room
}

/**
 * Names come again and again: what they stand for is worked out once. `end`: where the row's facets end so far; answers
 * where they end then.
 */
function addNames(
  table: ClipTable,
  row: number,
  kind: NamedKind,
  names: readonly string[],
  end: number,
): number {
  const { facets } = table
  const known = table.names[kind]
  for (const name of names) {
    let terms = known.get(name)
    if (terms === undefined) {
      const key = keyOf(name)
      terms = key === '' ? [] : [facetOf(table, kind, key, name.trim())]
      known.set(name, terms)
    }
    for (const postings of terms) {
      if (postings.last === row) continue
      addRow(postings, row, table.rows)
      if (postings.facet === -1) continue
      facets.numbers = withNumber(facets.numbers, end, postings.facet)
      end += 1
    }
  }
  return end
}

/** Once for a row, however often it has the term. */
function addTerm(table: ClipTable, row: number, kind: TermKind, key: string): void {
  const postings = termOf(table, kind, key)
  if (postings.last !== row) addRow(postings, row, table.rows)
}

function facetOf(table: ClipTable, kind: NamedKind, key: string, label: string): Postings {
  const known = table.terms[kind].get(key)
  if (known !== undefined) return known
  const postings = newPostings(label, table.facets.terms.length)
  table.facets.terms.push({ kind, label })
  table.terms[kind].set(key, postings)
  return postings
}

function termOf(table: ClipTable, kind: TermKind, key: string): Postings {
  const terms = table.terms[kind]
  let postings = terms.get(key)
  if (postings === undefined) {
    postings = newPostings(key)
    terms.set(key, postings)
    if (kind === 'word') table.words.list.push(key)
  }
  return postings
}
