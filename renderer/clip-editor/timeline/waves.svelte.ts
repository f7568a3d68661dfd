/** The waveform's levels, loaded for the visible part only. */
import { sentence } from '../../ui/sentence.ts'
import { columnsOf, loadPeaks, type Peaks } from '../peaks.ts'

/** Seconds loaded at once: some 40 KB. */
const CHUNK = 300

export interface Waves {
  /** Loads what is missing of this range of the source, seconds. */
  want(start: number, end: number): void
  /** Levels of equal parts of a range, 0 to 1; 0 where not loaded yet. */
  columns(start: number, end: number, columns: number): number[]
  /** Grows when more is known. */
  readonly version: number
  /** A sentence when it cannot be had. */
  readonly problem: string | null
}

/** `duration`: of the source, seconds. */
export function openWaves(url: string, duration: number): Waves {
  const chunks = new Map<number, Peaks | null>()
  let version = $state(0)
  let problem = $state<string | null>(null)

  function load(index: number): void {
    chunks.set(index, null)
    loadPeaks(url, index * CHUNK, Math.min(duration, (index + 1) * CHUNK)).then(
      (peaks) => {
        chunks.set(index, peaks)
        version += 1
      },
      (error: unknown) => (problem = sentence(error)),
    )
  }

  return {
    want(start, end) {
      const last = Math.floor(Math.max(0, Math.min(duration - 0.001, end)) / CHUNK)
      for (let index = Math.floor(Math.max(0, start) / CHUNK); index <= last; index++)
        if (!chunks.has(index)) load(index)
    },
    columns(start, end, columns) {
      const first = Math.floor(start / CHUNK)
      const last = Math.floor(Math.max(start, end - 1e-6) / CHUNK)
      if (first === last) {
        const peaks = chunks.get(first) ?? null
        return peaks === null
          ? Array.from({ length: columns }, () => 0)
          : columnsOf(peaks, start, end, columns)
      }
      // Over an edge between two: each column is of the one in which it begins.
      const each = (end - start) / columns
      return Array.from({ length: columns }, (_, column) => {
        const from = start + column * each
        const peaks = chunks.get(Math.floor(from / CHUNK)) ?? null
        return peaks === null ? 0 : (columnsOf(peaks, from, from + each, 1)[0] ?? 0)
      })
    },
    get version() {
      return version
    },
    get problem() {
      return problem
    },
  }
}
