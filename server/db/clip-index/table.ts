/**
 * All clips of one company in memory, column by column. Rows are never changed: an edited clip is a new row, and its old
 * one is no longer live. So whatever was worked out from rows stays true while it is used.
 */
import type { ClipStatus } from '../../contract/domain/clip.ts'
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
  ...['tags', 'statuses', 'people', 'keywords'],
  ...['aspectRatio', 'workflow', 'run', 'episode', 'word'],
] as const
export type TermKind = 'tags' | 'statuses' | 'people' | 'keywords' | OtherKind
type OtherKind = 'aspectRatio' | 'workflow' | 'run' | 'episode' | 'word'

export type Terms = Map<string, Postings>

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
      ...{ created_at: numbers(), updated_at: numbers() },
      ...{ duration: numbers(), virality_score: numbers() },
    },
    ...{ keys: numbers(), idHeads: numbers(), ids: newTexts(), titles: newTexts(), rowOf: new Map() },
    terms: Object.fromEntries(TERM_KINDS.map((kind) => [kind, new Map()])) as unknown as ClipTable['terms'],
    names: { tags: new Map(), statuses: new Map(), people: new Map(), keywords: new Map() },
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
  addNames(table, row, 'tags', entry.tags)
  addNames(table, row, 'people', entry.people)
  addNames(table, row, 'keywords', entry.keywords)
  addNames(table, row, 'statuses', entry.statuses)
  addTerm(table, row, 'aspectRatio', entry.aspectRatio)
  addTerm(table, row, 'workflow', entry.workflowId)
  if (entry.runId !== null) addTerm(table, row, 'run', entry.runId)
  for (const episode of entry.episodes) addTerm(table, row, 'episode', episode)
  for (const text of [entry.title, entry.bio])
    for (const word of wordsOf(text)) addTerm(table, row, 'word', word)
  return row
}

type NamedKind = 'tags' | 'statuses' | 'people' | 'keywords'
/** What is found by its words as well. */
const WORDED: ReadonlySet<NamedKind> = new Set(['people', 'keywords'])

/** Names come again and again: what they stand for is worked out once. */
function addNames(table: ClipTable, row: number, kind: NamedKind, names: readonly string[]): void {
  const known = table.names[kind]
  for (const name of names) {
    let terms = known.get(name)
    if (terms === undefined) {
      const key = keyOf(name)
      terms = key === '' ? [] : [termOf(table, kind, key, name.trim())]
      if (WORDED.has(kind)) terms.push(...wordsOf(name).map((word) => termOf(table, 'word', word)))
      known.set(name, terms)
    }
    for (const postings of terms) if (postings.last !== row) addRow(postings, row, table.rows)
  }
}

/** Once for a row, however often it has the term. */
function addTerm(table: ClipTable, row: number, kind: TermKind, key: string): void {
  const postings = termOf(table, kind, key)
  if (postings.last !== row) addRow(postings, row, table.rows)
}

function termOf(table: ClipTable, kind: TermKind, key: string, label = key): Postings {
  const terms = table.terms[kind]
  let postings = terms.get(key)
  if (postings === undefined) {
    postings = newPostings(label)
    terms.set(key, postings)
    if (kind === 'word') table.words.list.push(key)
  }
  return postings
}
