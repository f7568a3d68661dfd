/**
 * All clips of one company in memory, column by column. Rows are never changed: an edited clip is a new row, and its old
 * one is no longer live. So whatever was worked out from rows stays true while it is used.
 */
import type { ClipSort, ClipStatus } from '../../contract/domain/clip.ts'
import { clearBit, setBit, withRoom, type Bits } from './bits.ts'
import { addToOrders, newOrders, type Orders } from './orders.ts'
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

export interface Term {
  /** As the first clip that has it writes it. */
  readonly label: string
  readonly postings: Postings
}
export type Terms = Map<string, Term>

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
  for (const episode of new Set(entry.episodes)) addTerm(table, row, 'episode', episode)
  const { title, bio, people, keywords } = entry
  for (const word of wordsOf([title, bio, ...people, ...keywords].join('\n'))) addWord(table, row, word)
  return row
}

function addNames(table: ClipTable, row: number, kind: TermKind, names: readonly string[]): void {
  // One name that is written in two ways is still one.
  const seen = new Set<string>()
  for (const name of names) {
    const key = keyOf(name)
    if (key === '' || seen.has(key)) continue
    seen.add(key)
    addTerm(table, row, kind, key, name.trim())
  }
}

function addTerm(table: ClipTable, row: number, kind: TermKind, key: string, label = key): void {
  const terms = table.terms[kind]
  const term = terms.get(key) ?? { label, postings: newPostings() }
  if (term.postings.count === 0) terms.set(key, term)
  addRow(term.postings, row, table.rows)
}

function addWord(table: ClipTable, row: number, word: string): void {
  if (!table.terms.word.has(word)) table.words.list.push(word)
  addTerm(table, row, 'word', word)
}

/** Brings rows into every order of the table. */
export function orderRows(table: ClipTable, added: readonly number[]): void {
  addToOrders(table, added)
}

export const sortColumns: readonly ClipSort[] = [...NUMBER_COLUMNS, 'title']
