/** The times of a stored clip: its cut and segments, what it plays, and the segments that the API shows of that. PURE. */
import type { ClipDocument, ClipSegment } from '../clip.ts'
import type { TimeSpan } from '../composition.ts'
import type { FrameRange, Rational, Stretch } from '../time.ts'
import { cutOf, keptOf, type CutFields } from './cut.ts'
import {
  buildTimeMap,
  framesToSeconds,
  intersectStretches,
  mapOfRanges,
  milliseconds,
  rangesOfSpans,
  stretchesOfFrames,
  type KeptStretch,
  type PlayedRange,
} from './spans.ts'

export type TimedDocument = CutFields & Pick<ClipDocument, 'played' | 'cuts' | 'fps' | 'duration'>

/** What of the source the cut holds, in order, inside the source; segments count from its startTimestamp. */
export function listPlayedRanges(document: CutFields, sourceDuration: number): PlayedRange[] {
  const from = Math.max(0, document.startTimestamp)
  const to = Math.min(document.endTimestamp, sourceDuration)
  return keptOf(document)
    .map(({ start, end, rate }) => ({
      start: Math.max(from, start),
      end: Math.min(to, end),
      playbackRate: rate,
    }))
    .filter((range) => range.end > range.start)
    .sort((a, b) => a.start - b.start)
}

/** What an editor keeps: the cut, less what a caller of the API trimmed of it. Nodes may cut more. */
export function listKept(document: CutFields & Pick<ClipDocument, 'trim'>): PlayedRange[] {
  const ranges = listPlayedRanges(document, Infinity)
  if (document.trim === undefined) return ranges
  return intersectStretches(document.trim, ranges).map(({ start, end, playbackRate = 1 }) => ({
    start,
    end,
    playbackRate,
  }))
}

/** The cut as the clip editor has it: with the trim, so that whoever sets a cut leaves none. */
export function editorCut(document: CutFields & Pick<ClipDocument, 'trim'>): CutFields {
  const { startTimestamp, endTimestamp, segments, trim } = document
  const stored = { startTimestamp, endTimestamp, segments }
  if (trim === undefined) return stored
  return (
    cutOf(listKept(document).map(({ start, end, playbackRate }) => ({ start, end, rate: playbackRate }))) ??
    stored
  )
}

/**
 * What the clip plays, in order. A clip that was stored before this was part of its document plays its cut, less the
 * `cuts` of its nodes.
 */
function readPlayed(document: Omit<TimedDocument, 'fps' | 'duration'>): PlayedRange[] {
  if (document.played !== undefined)
    return document.played.map(({ start, end, playbackRate = 1 }) => ({ start, end, playbackRate }))
  return listPlayedRanges(document, Infinity).flatMap((range) => {
    let parts = [range]
    for (const { start, end } of document.cuts ?? [])
      parts = parts.flatMap((part) =>
        [
          { ...part, end: Math.min(part.end, start) },
          { ...part, start: Math.max(part.start, end) },
        ].filter((one) => one.end > one.start),
      )
    return parts
  })
}

/** Whether the clip plays the middle of a word. */
export function isPlayed(
  document: Omit<TimedDocument, 'fps' | 'duration'>,
  { start, end }: Stretch,
): boolean {
  const middle = (start + end) / 2
  return readPlayed(document).some((range) => range.start <= middle && middle < range.end)
}

/** The frame rate of a clip whose source is not known any more: that of its document, which has three decimals. */
export const statedRate = ({ fps }: Pick<ClipDocument, 'fps'>): Rational => ({
  numerator: Math.max(1, Math.round(fps * 1000)),
  denominator: 1000,
})

const lengthOf = ({ start, end, playbackRate }: PlayedRange): number => (end - start) / playbackRate

/** Whether the clip plays its whole cut at natural speed, to the frame. */
function isUntrimmed(document: TimedDocument, played: readonly PlayedRange[]): boolean {
  const [only] = played
  const frame = 1.01 / Math.max(1, document.fps)
  return (
    only !== undefined &&
    played.length === 1 &&
    only.playbackRate === 1 &&
    only.start - document.startTimestamp < frame &&
    document.endTimestamp - only.end < frame
  )
}

/**
 * The segments of the API: the pieces that the clip consists of, in seconds of the clip as it plays, each beginning where
 * the one before it ends; none where nothing was left out. No end is beyond `duration`.
 */
export function presentSegments(document: TimedDocument): ClipSegment[] {
  const played = readPlayed(document)
  if (isUntrimmed(document, played)) return []
  let seconds = 0
  return played.flatMap((range): ClipSegment[] => {
    const startSeconds = milliseconds(seconds)
    seconds += lengthOf(range)
    const endSeconds = Math.min(milliseconds(seconds), document.duration)
    const { playbackRate } = range
    if (endSeconds <= startSeconds) return []
    return [{ startSeconds, endSeconds, ...(playbackRate === 1 ? {} : { playbackRate }) }]
  })
}

/** What the clip plays of its source, as the API shows it: seconds to the millisecond. */
export const presentPlayed = (document: TimedDocument): KeptStretch[] =>
  readPlayed(document).map(({ start, end, playbackRate }) => ({
    start: milliseconds(start),
    end: milliseconds(end),
    ...(playbackRate === 1 ? {} : { playbackRate }),
  }))

/** The map of what the clip plays, from its document alone. */
export const storedTimeMap = (document: TimedDocument, rate: Rational = statedRate(document)) =>
  mapOfRanges(readPlayed(document), rate)

/** Times that are rounded to milliseconds are the same. */
const NEAR = 0.001

/**
 * The same stretches after the cut has moved, as far as they lie in the new one. One that reached an edge of the old cut
 * reaches the same edge of the new one, so that a longer clip is longer. Source seconds.
 */
export function moveStretches<T extends Stretch>(stretches: readonly T[], from: Stretch, to: Stretch): T[] {
  return stretches.flatMap((one) => {
    const start = one.start <= from.start + NEAR ? to.start : Math.max(to.start, one.start)
    const end = one.end >= from.end - NEAR ? to.end : Math.min(to.end, one.end)
    return start + NEAR < end ? [{ ...one, start, end }] : []
  })
}

/** The same of segments, which count from the beginning of their cut. */
export function moveSegments(segments: readonly ClipSegment[], from: Stretch, to: Stretch): ClipSegment[] {
  if (segments.length === 0) return []
  const kept = keptOf({ startTimestamp: from.start, endTimestamp: from.end, segments })
  return moveStretches(kept, from, to).map(({ start, end, rate }) => ({
    startSeconds: start - to.start,
    endSeconds: end - to.start,
    ...(rate === 1 ? {} : { playbackRate: rate }),
  }))
}

/** The document as its cut and its trim alone make it: for a clip whose source is not known any more. */
export function withKeptTimes<D extends ClipDocument>(document: D): D {
  const rate = statedRate(document)
  const { timeMap, durationFrames } = buildTimeMap(listKept(document), rate, Infinity)
  const { cuts: _before, ...rest } = document
  return { ...(rest as D), duration: framesToSeconds(durationFrames, rate), played: storedRanges(timeMap) }
}

/** What the spans play, as documents hold it. */
export const storedRanges = (timeMap: readonly TimeSpan[]): KeptStretch[] =>
  rangesOfSpans(timeMap).map(({ start, end, playbackRate }) =>
    playbackRate === 1 ? { start, end } : { start, end, playbackRate },
  )

/** Frames of what is played, at a speed. */
export interface TrimmedFrames extends FrameRange {
  readonly playbackRate?: number | undefined
}

/**
 * The trim that leaves these frames of what the document plays, at the speeds given, and null where that is what it plays.
 * `frames` are in order and do not overlap.
 */
export function trimOf(
  document: ClipDocument,
  frames: readonly TrimmedFrames[],
  rate: Rational,
): KeptStretch[] | null {
  const { timeMap, durationFrames } = storedTimeMap(document, rate)
  const wanted: TrimmedFrames[] = []
  for (const one of frames) {
    const endFrame = Math.min(one.endFrame, durationFrames)
    if (endFrame <= one.startFrame) continue
    const inside = timeMap.filter((span) => span.startFrame < endFrame && one.startFrame < span.endFrame)
    const isNew =
      one.playbackRate !== undefined && inside.some((span) => span.playbackRate !== one.playbackRate)
    const playbackRate = isNew ? one.playbackRate : undefined
    const last = wanted.at(-1)
    if (last?.endFrame === one.startFrame && last.playbackRate === playbackRate)
      wanted[wanted.length - 1] = { ...last, endFrame }
    else wanted.push({ startFrame: one.startFrame, endFrame, playbackRate })
  }
  const [only] = wanted
  const isWhole =
    only?.startFrame === 0 && only.endFrame === durationFrames && only.playbackRate === undefined
  if (isWhole) return null
  // What reaches an edge of what is played reaches that of the cut: a longer cut makes it longer.
  const kept = stretchesOfFrames(timeMap, wanted).map((one, at) => ({
    ...one,
    start: wanted[at]?.startFrame === 0 ? Math.min(one.start, document.startTimestamp) : one.start,
    end: wanted[at]?.endFrame === durationFrames ? Math.max(one.end, document.endTimestamp) : one.end,
  }))
  return document.trim === undefined ? kept : intersectStretches(kept, document.trim)
}
