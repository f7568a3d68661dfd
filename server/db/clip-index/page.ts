/** PURE: one page of the rows that fit. What it costs goes by how many fit, not by how many there are. */
import { countBits, hasBit, rowsOf, type Bits } from './bits.ts'
import { rangesOf, rowsOfTerms } from './find.ts'
import { keepBetween, rowsBetween, walk, walkFew, type Range, type Walk } from './orders.ts'
import type { ClipFilter } from './protocol.ts'
import type { ClipTable } from './table.ts'

/** So many rows are sorted in less time than a million are walked past. */
const FEW = 2000
/** In a small table a walk is short anyway. */
const SHARE_OF_FEW = 0.02
/** Up to this share of a table a range is marked, beyond it is looked at on the way. */
const SHARE_OF_NARROW = 0.25

/** How many rows are few, in a table as large as this one. */
export const fewOf = ({ rows }: ClipTable): number => Math.min(FEW, Math.floor(rows * SHARE_OF_FEW))

const isInside = (table: ClipTable, ranges: readonly Range[]): ((row: number) => boolean) => {
  const checks = ranges.map(({ column, min, max }) => ({ ...table.numbers[column], min, max }))
  return (row) =>
    checks.every(({ values, min, max }) => {
      const value = values[row] ?? 0
      return value >= min && value <= max
    })
}

/** The first rows of a list of those that fit a filter, and one more than its limit where there are more. */
export function pageOf(table: ClipTable, filter: ClipFilter, page: Walk, most: number): number[] {
  const given = { rows: rowsOfTerms(table, filter), ranges: rangesOf(filter) }
  return pageOfRows(table, given, page, most)
}

/** The same of rows that are known, less those outside the ranges. */
export function pageOfRows(
  table: ClipTable,
  { rows, ranges = [] }: { readonly rows: Bits; readonly ranges?: readonly Range[] },
  page: Walk,
  most: number,
): number[] {
  const asked = { ...page, limit: page.limit + 1 }
  const inside = isInside(table, ranges)
  const few = fewRows(table, rows, ranges, most)
  if (few !== null) return walkFew(table, asked, few.filter(inside))
  const wide = keepNarrow(table, rows, ranges)
  if (wide.length === 0) return walk(table, asked, (row) => hasBit(rows, row))
  const insideWide = isInside(table, wide)
  return walk(table, asked, (row) => hasBit(rows, row) && insideWide(row))
}

/**
 * Takes the rows outside narrow ranges out of the set: among rows that hardly ever fit a walk is long, and the fewer
 * there are, the cheaper it is to mark them. Answers the ranges that are left.
 */
function keepNarrow(table: ClipTable, rows: Bits, ranges: readonly Range[]): Range[] {
  return ranges.filter((range) => {
    if (rowsBetween(table, range, table.rows * SHARE_OF_NARROW) === null) return true
    keepBetween(table, rows, range.column, range)
    return false
  })
}

/** Rows among which all that fit are, when they are few. */
function fewRows(table: ClipTable, rows: Bits, ranges: readonly Range[], most: number): number[] | null {
  for (const range of ranges) {
    const found = rowsBetween(table, range, most)
    if (found !== null) return [...found].filter((row) => hasBit(rows, row))
  }
  return countBits(rows) <= most ? rowsOf(rows) : null
}
