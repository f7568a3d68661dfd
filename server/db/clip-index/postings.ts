/** PURE: which rows have a term. Few rows are a list; many are bits, which then take less room and less time. */
import { addAll, setBit, withRoom, wordsFor, type Bits } from './bits.ts'

export interface Postings {
  /** The term as the first row that has it writes it. */
  readonly label: string
  /** Its number among the terms that facets count; -1: it is none of them. */
  readonly facet: number
  /** Rows that were added; those that are gone by now included. */
  count: number
  /** The row that was added last; -1 before the first. */
  last: number
  /** Rising; null when there are bits. */
  list: number[] | null
  bits: Bits | null
}

/** A list of this many rows may become bits, if it is dense as well. */
const LONG = 4096
/** A row of a list takes as much room as so many bits. */
const DENSE = 64

export const newPostings = (label: string, facet = -1): Postings => ({
  label,
  facet,
  count: 0,
  last: -1,
  list: [],
  bits: null,
})

/** Adds a row, which is higher than any before; `rows`: how many there are in all. */
export function addRow(postings: Postings, row: number, rows: number): void {
  const { list } = postings
  postings.count += 1
  postings.last = row
  if (list === null) {
    const bits = withRoom(postings.bits ?? new Uint32Array(0), row + 1)
    setBit(bits, row)
    postings.bits = bits
    return
  }
  list.push(row)
  if (list.length < LONG || list.length * DENSE < rows) return
  const bits = new Uint32Array(wordsFor(rows + 1))
  for (const one of list) setBit(bits, one)
  postings.bits = bits
  postings.list = null
}

/** Adds the rows to a set. */
export function addTo(target: Bits, postings: Postings | undefined): void {
  if (postings === undefined) return
  if (postings.bits !== null) addAll(target, postings.bits)
  for (const row of postings.list ?? []) setBit(target, row)
}
