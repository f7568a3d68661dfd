/**
 * PURE. Cuts and movement from pictures that may lie seconds apart, as keyframes do. Encoders put a keyframe where the
 * picture changes at once, so one that comes early says as much as the picture; a regular one must differ from the one
 * before it far more than is usual here, or a pan would pass for a cut.
 */
import { changeBetween, signatureOf, type Signature } from '../../faces/pure/shots.ts'
import type { Grey } from '../../faces/pure/types.ts'

export interface Look {
  /** Seconds in the source. */
  readonly time: number
  /** Since the picture before, of tones and their places: 0 the same, about 1 all. */
  readonly change: number
  /** Since the picture before, of what is where: 0 to 1. */
  readonly motion: number
}

/** Seconds: pictures nearer than this follow each other, and what lies between them need not be guessed. */
const NEAR = 0.5
/** A cut changes a picture at least by so much. */
const MIN_CHANGE = 0.16
/** At a keyframe that came early less is enough. */
const EARLY_CHANGE = 0.08
const EARLY = 0.97
const TIMES_USUAL = 3.5
/** So many pictures around one say what is usual. */
const AROUND = 12
/** Pictures so far apart or more do not tell where it cuts. */
const FAR = 20

/** Measures one picture after the other. */
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
      // A fifth of the range on average is as much as moves in anything but a cut.
      motion: Math.min(1, difference / now.cells.length / 255 / 0.2),
    }
  }
}

/** Where new shots begin. */
export function cutsIn(looks: readonly Look[]): number[] {
  const gaps = looks.map(({ time }, at) => time - (looks[at - 1]?.time ?? time))
  const regular = Math.max(0, ...gaps)
  const changes = looks.map(({ change }) => change)
  return looks.flatMap(({ time, change }, at) => {
    const gap = gaps[at] ?? 0
    if (at === 0 || gap > FAR) return []
    // Only keyframes come early: pictures at a rate of ours are all as near as the next.
    const early = regular > NEAR && gap < EARLY * regular && gap > 0
    const cut = change >= MIN_CHANGE && change >= TIMES_USUAL * usualAt(changes, at)
    return cut || (early && change >= EARLY_CHANGE) ? [time] : []
  })
}

/** What changes where nothing is cut: the lower quarter of the changes around one, for cuts may be frequent. */
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
