/** Detects where a new shot begins in a sequence of small grey pictures. PURE. */
import type { Grey } from './face.ts'

const BINS = 32
/** Cells of a coarse copy of the picture: movement within a shot changes few of them much. */
const GRID = 12
/** Number of earlier pictures with which a new one is compared. */
const COMPARED_PICTURES = 12
/** A cut changes the picture at least this much, and this many times more than the pictures before changed. */
const MIN_CHANGE = 0.16
const TIMES_USUAL = 3.5

/** Summary of a picture: the histogram of its tones, and its brightness by cell. */
export interface Signature {
  readonly histogram: Float32Array
  readonly cells: Float32Array
}

export interface ShotsState {
  readonly before: Signature | null
  readonly usual: readonly number[]
}

/** Expects one picture after the other. The first one does not begin a shot. `state`: of the pictures before. */
export function watchShots(state: ShotsState = { before: null, usual: [] }) {
  let { before, usual } = state
  return {
    state: (): ShotsState => ({ before, usual }),
    begins: (picture: Grey): boolean => {
      const now = signatureOf(picture)
      const last = before
      before = now
      if (last === null) return false
      const change = changeBetween(last, now)
      const middle = usual.length === 0 ? 0 : (usual.toSorted((a, b) => a - b)[usual.length >> 1] ?? 0)
      const cut = change >= MIN_CHANGE && change >= TIMES_USUAL * middle
      usual = cut ? [] : [...usual, change].slice(-COMPARED_PICTURES)
      return cut
    },
  }
}

/** The summary of one picture. */
export function signatureOf({ width, height, pixels }: Grey): Signature {
  const histogram = new Float32Array(BINS)
  const cells = new Float32Array(GRID * GRID)
  const counts = new Float32Array(GRID * GRID)
  // Every second pixel of every second row is sufficient.
  for (let y = 0; y < height; y += 2) {
    const row = Math.floor((y * GRID) / height) * GRID
    for (let x = 0; x < width; x += 2) {
      const value = pixels[y * width + x] ?? 0
      const bin = value >> 3
      histogram[bin] = (histogram[bin] ?? 0) + 1
      const cell = row + Math.floor((x * GRID) / width)
      cells[cell] = (cells[cell] ?? 0) + value
      counts[cell] = (counts[cell] ?? 0) + 1
    }
  }
  const total = histogram.reduce((sum, count) => sum + count, 0)
  return {
    histogram: histogram.map((count) => count / Math.max(1, total)),
    cells: cells.map((sum, cell) => sum / Math.max(1, counts[cell] ?? 1) / 255),
  }
}

/** From 0 (equal) to about 1. Both tones and cells must change, so that neither a flash nor a pan alone is a cut. */
export function changeBetween(a: Signature, b: Signature): number {
  let tones = 0
  for (let bin = 0; bin < BINS; bin += 1) tones += Math.abs((a.histogram[bin] ?? 0) - (b.histogram[bin] ?? 0))
  let places = 0
  for (let cell = 0; cell < GRID * GRID; cell += 1)
    places += Math.abs((a.cells[cell] ?? 0) - (b.cells[cell] ?? 0))
  return Math.sqrt((tones / 2) * Math.min(1, (3 * places) / (GRID * GRID)))
}
