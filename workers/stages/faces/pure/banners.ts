/**
 * Finds what broadcasters lay over a picture: lower thirds, score boxes, names and tickers. Their letters are sharp edges that
 * stay in one place, or go evenly to one side, whatever the picture beneath does. PURE.
 */
import type { Banner } from '../../../../server/contract/clip-measurements.ts'
import { SHARP_ACROSS, type EdgePicture } from './edges.ts'
import { findTickers } from './tickers.ts'

/** Side of a cell, pixels, and how many of its pixels are sharp edges where there are letters. */
const CELL = 8
const MIN_SHARP = 7
/** Share of a cell's sharp edges that are still there in the next picture. */
const SAME = 0.7
/** A banner stands for so many pictures. */
const MIN_PICTURES = 4
/** Cells so near each other, and shown together for so much of the longer one's time, are one banner. */
const REACH = { across: 3, down: 1 } as const
const TOGETHER = 0.45
/** Sizes of a banner in cells, its height as a share of the picture, and the share of it that has letters. */
const MIN_WIDTH = 6
const MIN_CELLS = 7
const MAX_HEIGHT_SHARE = 0.3
const MIN_FULL = 0.4
/** Lines so near each other, in the lower one's heights, are of one banner. */
const NEAR_LINES = 0.6
/** Letters are wider than they are high, all together. */
const MIN_SHAPE = 1.8

/** `pictures` are of one range of the source, in order. Returns banners in order of start. */
export function findBanners(pictures: readonly EdgePicture[]): Banner[] {
  const [first] = pictures
  if (first === undefined || pictures.length < MIN_PICTURES) return []
  const columns = Math.floor(first.width / CELL)
  const rows = Math.floor(first.height / CELL)
  const steady = groupRuns(runsOf(pictures, columns, rows))
    .filter((group) => isBanner(group, rows))
    .map((group) => present(group, pictures))
  return joinLines([...steady, ...findTickers(pictures)]).toSorted((a, b) => a.start - b.start)
}

/** Lines of one banner that are shown together are one. */
function joinLines(banners: readonly Banner[]): Banner[] {
  const joined: Banner[] = []
  for (const banner of banners) {
    const at = joined.findIndex((other) => belongTogether(banner, other))
    const other = joined[at]
    if (other === undefined) joined.push(banner)
    else joined[at] = around(banner, other)
  }
  return joined.length < banners.length ? joinLines(joined) : joined
}

function belongTogether(a: Banner, b: Banner): boolean {
  const common = Math.min(a.end, b.end) - Math.max(a.start, b.start)
  const gap = b.box[1] < a.box[1] ? a.box[1] - b.box[1] - b.box[3] : b.box[1] - a.box[1] - a.box[3]
  const beside = Math.min(a.box[0] + a.box[2], b.box[0] + b.box[2]) - Math.max(a.box[0], b.box[0])
  return (
    common >= TOGETHER * Math.min(a.end - a.start, b.end - b.start) &&
    beside > 0 &&
    gap < NEAR_LINES * Math.min(a.box[3], b.box[3])
  )
}

function around(a: Banner, b: Banner): Banner {
  const left = Math.min(a.box[0], b.box[0])
  const top = Math.min(a.box[1], b.box[1])
  const right = Math.max(a.box[0] + a.box[2], b.box[0] + b.box[2])
  const bottom = Math.max(a.box[1] + a.box[3], b.box[1] + b.box[3])
  return {
    start: Math.min(a.start, b.start),
    end: Math.max(a.end, b.end),
    box: [left, top, right - left, bottom - top],
  }
}

/** A cell in which the same letters stand from one picture to another. */
interface Run {
  readonly column: number
  readonly row: number
  readonly from: number
  /** The last one. */
  readonly to: number
}

function runsOf(pictures: readonly EdgePicture[], columns: number, rows: number): Run[] {
  const runs: Run[] = []
  const close = (column: number, row: number, from: number, to: number): void => {
    if (from >= 0 && to - from + 1 >= MIN_PICTURES) runs.push({ column, row, from, to })
  }
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      let from = -1
      for (let at = 1; at < pictures.length; at += 1) {
        const same = isSame(pictures[at - 1], pictures[at], column, row)
        if (same && from < 0) from = at - 1
        if (same) continue
        close(column, row, from, at - 1)
        from = -1
      }
      close(column, row, from, pictures.length - 1)
    }
  }
  return runs
}

/** Whether a cell has letters in both pictures, and the same ones. */
function isSame(
  a: EdgePicture | undefined,
  b: EdgePicture | undefined,
  column: number,
  row: number,
): boolean {
  if (a === undefined || b === undefined) return false
  let inA = 0
  let inB = 0
  let both = 0
  for (let y = row * CELL; y < (row + 1) * CELL; y += 1) {
    for (let at = y * a.width + column * CELL, end = at + CELL; at < end; at += 1) {
      const one = (a.edges[at] ?? 0) & SHARP_ACROSS
      const other = (b.edges[at] ?? 0) & SHARP_ACROSS
      if (one !== 0) inA += 1
      if (other !== 0) inB += 1
      if (one !== 0 && other !== 0) both += 1
    }
  }
  return Math.min(inA, inB) >= MIN_SHARP && both >= SAME * Math.max(inA, inB)
}

/** Runs that touch in place and time, directly or through others. */
function groupRuns(runs: readonly Run[]): Run[][] {
  const groups: Run[][] = []
  const left = new Set(runs)
  for (const run of runs) {
    if (!left.delete(run)) continue
    const group = [run]
    for (const one of group)
      for (const other of left) {
        if (!doTouch(one, other)) continue
        left.delete(other)
        group.push(other)
      }
    groups.push(group)
  }
  return groups
}

function doTouch(a: Run, b: Run): boolean {
  if (Math.abs(a.column - b.column) > REACH.across || Math.abs(a.row - b.row) > REACH.down) return false
  const common = Math.min(a.to, b.to) - Math.max(a.from, b.from) + 1
  return common >= TOGETHER * (Math.max(a.to - a.from, b.to - b.from) + 1)
}

function boundsOf(group: readonly Run[]) {
  const columns = group.map(({ column }) => column)
  const rows = group.map(({ row }) => row)
  const left = Math.min(...columns)
  const top = Math.min(...rows)
  return { left, top, wide: Math.max(...columns) + 1 - left, high: Math.max(...rows) + 1 - top }
}

function isBanner(group: readonly Run[], rows: number): boolean {
  const { wide, high } = boundsOf(group)
  const cells = new Set(group.map(({ column, row }) => `${column},${row}`)).size
  return (
    wide >= MIN_WIDTH &&
    cells >= MIN_CELLS &&
    high <= MAX_HEIGHT_SHARE * rows &&
    wide >= MIN_SHAPE * high &&
    cells >= MIN_FULL * wide * high
  )
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Of a picture, or the nearest there is: what is first seen in one came after the one before. */
function timeAt(pictures: readonly EdgePicture[], at: number): number {
  return pictures[Math.min(pictures.length - 1, Math.max(0, at))]?.time ?? 0
}

/** With a cell's room around the letters. */
function present(group: readonly Run[], pictures: readonly EdgePicture[]): Banner {
  const { width = 1, height = 1 } = pictures[0] ?? {}
  const { left, top, wide, high } = boundsOf(group)
  const x = Math.max(0, left * CELL - CELL / 2)
  const y = Math.max(0, top * CELL - CELL / 2)
  const right = Math.min(width, (left + wide) * CELL + CELL / 2)
  const bottom = Math.min(height, (top + high) * CELL + CELL / 2)
  return {
    start: timeAt(pictures, median(group.map(({ from }) => from)) - 1),
    end: timeAt(pictures, median(group.map(({ to }) => to)) + 1),
    box: [x / width, y / height, (right - x) / width, (bottom - y) / height],
  }
}
