/** The waveform's levels, loaded for the visible part only. */
import { sentence } from '../../ui/attempt.svelte.ts'
import { throughOutages } from '../../state/outage.ts'
import { timeline as messages } from '../../messages/timeline.ts'

const HEADER_BYTES = 24
const RATE_AT = 8
const SAMPLES_AT = 12

/** The waveform of a stretch of a source, from the appliance's peaks file. */
interface Peaks {
  /** Pairs in each second. */
  readonly perSecond: number
  /** Second of the source at which the first pair begins. */
  readonly start: number
  /** Lowest and highest sample of each stretch in turn, -128 to 127. */
  readonly pairs: Int8Array
}

async function bytes(url: string, from: number, to: number): Promise<ArrayBuffer> {
  const response = await fetch(url, { headers: { range: `bytes=${from}-${to}` } })
  if (!response.ok) throw new Error(messages.waveformFailed(response.status))
  const whole = await response.arrayBuffer()
  return response.status === 206 ? whole : whole.slice(from, to + 1)
}

/** Rejects when the file is not there or is not what was expected. */
async function loadPeaks(url: string, start: number, end: number): Promise<Peaks> {
  const header = new DataView(await bytes(url, 0, HEADER_BYTES - 1))
  const perSecond = header.getInt32(RATE_AT, true) / header.getInt32(SAMPLES_AT, true)
  if (!(perSecond > 0)) throw new Error(messages.waveformUnreadable)
  const first = Math.max(0, Math.floor(start * perSecond))
  const last = Math.ceil(end * perSecond)
  const data = await bytes(url, HEADER_BYTES + first * 2, HEADER_BYTES + last * 2 - 1)
  return { perSecond, start: first / perSecond, pairs: new Int8Array(data) }
}

/** How far the sound swings in each of `columns` equal parts of a stretch, 0 to 1. PURE. */
export function columnsOf(peaks: Peaks, start: number, end: number, columns: number): number[] {
  const perColumn = ((end - start) * peaks.perSecond) / columns
  const offset = (start - peaks.start) * peaks.perSecond
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.max(0, Math.floor(offset + column * perColumn))
    const to = Math.min(
      peaks.pairs.length / 2,
      Math.max(from + 1, Math.ceil(offset + (column + 1) * perColumn)),
    )
    let most = 0
    for (let at = from; at < to; at++)
      most = Math.max(most, Math.abs(peaks.pairs[at * 2] ?? 0), Math.abs(peaks.pairs[at * 2 + 1] ?? 0))
    return Math.min(1, most / 127)
  })
}

/** Seconds loaded at once: some 40 KB. */
const CHUNK = 300

/** `duration`: of the source, seconds. */
export function openWaves(url: string, duration: number) {
  const chunks = new Map<number, Peaks | null>()
  let version = $state(0)
  let problem = $state<string | null>(null)

  function load(index: number): void {
    chunks.set(index, null)
    throughOutages(() => loadPeaks(url, index * CHUNK, Math.min(duration, (index + 1) * CHUNK))).then(
      (peaks) => {
        chunks.set(index, peaks)
        version += 1
      },
      (error: unknown) => (problem = sentence(error)),
    )
  }

  return {
    /** Loads what is missing of this range of the source, seconds. */
    want(start: number, end: number): void {
      const last = Math.floor(Math.max(0, Math.min(duration - 0.001, end)) / CHUNK)
      for (let index = Math.floor(Math.max(0, start) / CHUNK); index <= last; index++)
        if (!chunks.has(index)) load(index)
    },
    /** Levels of equal parts of a range, 0 to 1; 0 where not loaded yet. */
    columns(start: number, end: number, columns: number): number[] {
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
    /** Grows when more is loaded. */
    get version() {
      return version
    },
    get problem() {
      return problem
    },
  }
}
