/**
 * PURE. Cuts and movement from pictures that may be seconds apart, as keyframes are. Encoders insert a keyframe where the picture
 * changes suddenly, so an early one is evidence by itself. A regular one must differ from the previous one far more than is
 * usual here, or a pan would count as a cut.
 */
import { changeBetween, signatureOf, type Signature } from '../../faces/pure/shots.ts'
import type { Grey } from '../../faces/pure/types.ts'

export interface Look {
  /** Seconds in the source. */
  readonly time: number
  /** Change of tones and their places since the previous picture: 0 none, about 1 complete. */
  readonly change: number
  /** Change of the content since the previous picture: 0 to 1. */
  readonly motion: number
}

/** Seconds: pictures closer than this are consecutive. */
const NEAR = 0.5
/** Minimum change at a cut. */
const MIN_CHANGE = 0.16
/** Minimum change at an early keyframe. */
const EARLY_CHANGE = 0.08
const EARLY = 0.97
const TIMES_USUAL = 3.5
/** Number of pictures around one that define what is usual. */
const AROUND = 12
/** Pictures this many seconds apart do not show where a cut is. */
const FAR = 20

/** Expects one picture after the other. */
export function watchChanges(): (time: number, picture: Grey) => Look {
  let before: { signature: Signature; cells: Float32Array } | null = null
  return (time, picture) => {
    const now = { signature: signatureOf(picture), cells: cellsOf(picture) }
    const last = before
    before = now
    if (last === null) return { time, change: 0, motion: 0 }
    const difference = now.cells.reduce((sum, value, at) => sum + Math.abs(value - (last.cells[at] ?? 0)), 0)
    return {
      time,
      change: changeBetween(last.signature, now.signature),
      // A fifth of the range on average is the most that moves without a cut.
      motion: Math.min(1, difference / now.cells.length / 255 / 0.2),
    }
  }
}

/** Times at which new shots begin. */
export function cutsIn(looks: readonly Look[]): number[] {
  const gaps = looks.map(({ time }, at) => time - (looks[at - 1]?.time ?? time))
  const regular = Math.max(0, ...gaps)
  const changes = looks.map(({ change }) => change)
  return looks.flatMap(({ time, change }, at) => {
    const gap = gaps[at] ?? 0
    if (at === 0 || gap > FAR) return []
    // Only keyframes can be early; pictures at a constant rate are equally far apart.
    const early = regular > NEAR && gap < EARLY * regular && gap > 0
    const cut = change >= MIN_CHANGE && change >= TIMES_USUAL * usualAt(changes, at)
    return cut || (early && change >= EARLY_CHANGE) ? [time] : []
  })
}

/** The usual change without a cut: the lower quartile of the changes around one, because cuts may be frequent. */
function usualAt(changes: readonly number[], at: number): number {
  const from = Math.max(1, at - AROUND)
  const near = changes.slice(from, at + 1 + AROUND).filter((_, index) => from + index !== at)
  return near.toSorted((a, b) => a - b)[near.length >> 2] ?? 0
}

const COLUMNS = 40
const ROWS = 24

/** The picture in 40 by 24 cells, 0 to 255. */
function cellsOf({ width, height, pixels }: Grey): Float32Array {
  const sums = new Float32Array(COLUMNS * ROWS)
  const counts = new Float32Array(COLUMNS * ROWS)
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * ROWS) / height) * COLUMNS
    for (let x = 0; x < width; x += 1) {
      const cell = row + Math.floor((x * COLUMNS) / width)
      sums[cell] = (sums[cell] ?? 0) + (pixels[y * width + x] ?? 0)
      counts[cell] = (counts[cell] ?? 0) + 1
    }
  }
  return sums.map((sum, cell) => sum / Math.max(1, counts[cell] ?? 1))
}
