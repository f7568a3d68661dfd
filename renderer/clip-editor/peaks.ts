/** The waveform of a stretch of a source, from the appliance's peaks file; only the bytes of that stretch are fetched. */
import { timelineMessages } from '../messages/timeline.ts'

const messages = timelineMessages.timeline
const HEADER_BYTES = 24
const RATE_AT = 8
const SAMPLES_AT = 12

export interface Peaks {
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
export async function loadPeaks(url: string, start: number, end: number): Promise<Peaks> {
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
