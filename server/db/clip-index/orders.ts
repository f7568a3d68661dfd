/** PURE: the rows of a table in each order that a list may have, smallest first; ids decide between equals. */
import { CLIP_SORTS, type ClipSort } from '../../contract/tenant-api/clip.ts'
import { clearBit, keepCommon, setBit, type Bits } from './bits.ts'
import type { ClipPosition } from './protocol.ts'
import { idHead, type ClipTable, type NumberColumn } from './table.ts'
import { compareTexts, compareWith, textAt } from './texts.ts'

export interface Order {
  rows: Uint32Array
  length: number
}
export type Orders = Readonly<Record<ClipSort, Order>>

export function newOrders(): Orders {
  const order = (): Order => ({ rows: new Uint32Array(64), length: 0 })
  return {
    created_at: order(),
    updated_at: order(),
    duration: order(),
    title: order(),
    virality_score: order(),
  }
}

type Compare = (a: number, b: number) => number

function comparing(table: ClipTable, sortBy: ClipSort): Compare {
  const heads = table.idHeads.values
  const byId: Compare = (a, b) => (heads[a] ?? 0) - (heads[b] ?? 0) || compareTexts(table.ids, a, b)
  if (sortBy === 'title') return (a, b) => compareTexts(table.titles, a, b) || byId(a, b)
  const { values } = table.numbers[sortBy]
  return (a, b) => (values[a] ?? 0) - (values[b] ?? 0) || byId(a, b)
}

/** Below 0 where the row comes before the position. */
function comparingWith(
  table: ClipTable,
  sortBy: ClipSort,
  [value, id]: ClipPosition,
): (row: number) => number {
  const head = idHead(id)
  const idBytes = Buffer.from(id)
  const text = Buffer.from(String(value))
  const byId = (row: number): number =>
    (table.idHeads.values[row] ?? 0) - head || compareWith(table.ids, row, idBytes)
  if (sortBy === 'title') return (row) => compareWith(table.titles, row, text) || byId(row)
  const { values } = table.numbers[sortBy]
  return (row) => (values[row] ?? 0) - Number(value) || byId(row)
}

/** How many of the first `length` rows of the order come before what `compare` compares with. */
function countBefore({ rows }: Order, length: number, compare: (row: number) => number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(rows[middle] ?? 0) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Brings rows, none of which is in, into every order. */
export function addToOrders(table: ClipTable, added: readonly number[]): void {
  for (const sortBy of CLIP_SORTS) {
    const order = table.orders[sortBy]
    const compare = comparing(table, sortBy)
    const sorted = Uint32Array.from(added)
    if (!isSorted(sorted, compare)) sorted.sort(compare)
    mergeInto(order, sorted, compare)
  }
}

function isSorted(rows: Uint32Array, compare: Compare): boolean {
  for (let at = 1; at < rows.length; at += 1) if (compare(rows[at - 1] ?? 0, rows[at] ?? 0) > 0) return false
  return true
}

function mergeInto(order: Order, added: Uint32Array, compare: Compare): void {
  const length = order.length + added.length
  if (length > order.rows.length) {
    const grown = new Uint32Array(Math.max(length, order.rows.length * 2))
    grown.set(order.rows.subarray(0, order.length))
    order.rows = grown
  }
  // From the end, so that each stretch of old rows is moved once, to where it stays.
  let end = order.length
  for (let at = added.length - 1; at >= 0 && end >= 0; at -= 1) {
    const row = added[at] ?? 0
    const place = countBefore(order, end, (one) => compare(one, row))
    order.rows.copyWithin(place + at + 1, place, end)
    order.rows[place + at] = row
    end = place
  }
  order.length = length
}

/** Values of a column, both ends included. */
export interface Range {
  readonly column: NumberColumn
  readonly min: number
  readonly max: number
}

/** Where the rows of a range stand in the order of its column. */
function placesOf(table: ClipTable, { column, min, max }: Range): { from: number; to: number } {
  const order = table.orders[column]
  const { values } = table.numbers[column]
  const from = countBefore(order, order.length, (row) => ((values[row] ?? 0) < min ? -1 : 1))
  const to = countBefore(order, order.length, (row) => ((values[row] ?? 0) <= max ? -1 : 1))
  return { from, to: Math.max(from, to) }
}

/** The rows of a range; null when they are more than `most`. */
export function rowsBetween(table: ClipTable, range: Range, most: number): Uint32Array | null {
  const { from, to } = placesOf(table, range)
  return to - from > most ? null : table.orders[range.column].rows.subarray(from, to)
}

/** The set of those of the rows whose value is from `min` to `max`, both included. */
export function keepBetween(
  table: ClipTable,
  rows: Bits,
  sortBy: NumberColumn,
  { min, max }: Pick<Range, 'min' | 'max'>,
): void {
  const order = table.orders[sortBy]
  const { from, to } = placesOf(table, { column: sortBy, min, max })
  // Whichever are fewer are looked at: those inside, or those outside.
  if (to - from > order.length / 2) {
    for (const row of order.rows.subarray(0, from)) clearBit(rows, row)
    for (const row of order.rows.subarray(to, order.length)) clearBit(rows, row)
    return
  }
  const inside = new Uint32Array(rows.length)
  for (const row of order.rows.subarray(from, to)) setBit(inside, row)
  keepCommon(rows, inside)
}

export interface Walk {
  readonly sortBy: ClipSort
  readonly order: 'asc' | 'desc'
  readonly after: ClipPosition | null
  readonly limit: number
}

/** The first rows of a list that `has` says yes to; at most `limit`. */
export function walk(
  table: ClipTable,
  { sortBy, order, after, limit }: Walk,
  has: (row: number) => boolean,
): number[] {
  const { rows, length } = table.orders[sortBy]
  const found: number[] = []
  const before =
    after === null ? 0 : countBefore(table.orders[sortBy], length, comparingWith(table, sortBy, after))
  if (order === 'asc') {
    const isAt = after === null ? (): number => 1 : comparingWith(table, sortBy, after)
    let at = after === null ? 0 : before
    while (at < length && isAt(rows[at] ?? 0) === 0) at += 1
    for (; at < length && found.length < limit; at += 1) if (has(rows[at] ?? 0)) found.push(rows[at] ?? 0)
  } else
    for (let at = (after === null ? length : before) - 1; at >= 0 && found.length < limit; at -= 1)
      if (has(rows[at] ?? 0)) found.push(rows[at] ?? 0)
  return found
}

/** The same list, of a few rows in any order: sorting them is less than walking past all others. */
export function walkFew(
  table: ClipTable,
  { sortBy, order, after, limit }: Walk,
  rows: readonly number[],
): number[] {
  const side = order === 'asc' ? 1 : -1
  const place = after === null ? null : comparingWith(table, sortBy, after)
  const compare = comparing(table, sortBy)
  return rows
    .filter((row) => place === null || place(row) * side > 0)
    .sort((a, b) => compare(a, b) * side)
    .slice(0, limit)
}

/** Where a row stands in a list. */
export function positionOf(table: ClipTable, sortBy: ClipSort, row: number): ClipPosition {
  const value = sortBy === 'title' ? textAt(table.titles, row) : (table.numbers[sortBy].values[row] ?? 0)
  return [value, textAt(table.ids, row)]
}
