/** The cut of a clip: segments in cut time, and what they keep in source time. PURE. */
import type { ClipSegment } from '../clip.ts'
import { milliseconds } from './spans.ts'

/** A stretch that is played. */
export interface Kept {
  readonly start: number
  readonly end: number
  /** 1 is natural speed. */
  readonly rate: number
}

/** A clip's cut as the API has it: segments count from its start; none: everything is played. */
export interface ClipCut {
  readonly startTimestamp: number
  readonly endTimestamp: number
  readonly segments: readonly {
    readonly startSeconds: number
    readonly endSeconds: number
    readonly playbackRate?: number | undefined
  }[]
}

/** The same as documents hold it. */
export interface CutFields {
  startTimestamp: number
  endTimestamp: number
  segments: ClipSegment[]
}

/** What the cut keeps of the source, in the order of its segments. */
export function keptOf({ startTimestamp, endTimestamp, segments }: ClipCut): Kept[] {
  if (segments.length === 0) return [{ start: startTimestamp, end: endTimestamp, rate: 1 }]
  return segments.map(({ startSeconds, endSeconds, playbackRate = 1 }) => ({
    start: startTimestamp + startSeconds,
    end: Math.min(endTimestamp, startTimestamp + endSeconds),
    rate: playbackRate,
  }))
}

/** The cut that plays these stretches: sorted, with a length, not overlapping. Null for none. */
export function cutOf(kept: readonly Kept[]): CutFields | null {
  const [first] = kept
  const last = kept.at(-1)
  if (first === undefined || last === undefined) return null
  const startTimestamp = milliseconds(first.start)
  const whole = kept.length === 1 && first.rate === 1
  return {
    startTimestamp,
    endTimestamp: milliseconds(last.end),
    segments: whole ? [] : piecesOf(kept, startTimestamp),
  }
}

const piecesOf = (kept: readonly Kept[], startTimestamp: number): ClipSegment[] =>
  kept.map(({ start, end, rate }) => ({
    startSeconds: milliseconds(start - startTimestamp),
    endSeconds: milliseconds(end - startTimestamp),
    ...(rate === 1 ? {} : { playbackRate: rate }),
  }))

/** The segments of a cut that plays these stretches, from the start of the first; none where they are one. */
export const segmentsOf = (kept: readonly Kept[]): ClipSegment[] =>
  kept.length === 1 && kept[0]?.rate === 1 ? [] : piecesOf(kept, milliseconds(kept[0]?.start ?? 0))

/** The piece that plays a source time; -1 for none. */
export const pieceAt = (cut: ClipCut, time: number): number =>
  keptOf(cut).findIndex(({ start, end }) => time >= start && time < end)

/** The place of a source time in what is played, seconds; of a time that is left out, where playing goes on. */
export function playedAt(cut: ClipCut, time: number): number {
  let played = 0
  for (const { start, end, rate } of keptOf(cut)) {
    if (time <= start) return played
    if (time < end) return played + (time - start) / rate
    played += (end - start) / rate
  }
  return played
}

export const playedLength = (cut: ClipCut): number => playedAt(cut, Infinity)

export function isKept(cut: ClipCut, time: number): boolean {
  return keptOf(cut).some(({ start, end }) => time >= start && time < end)
}
