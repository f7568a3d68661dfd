/** PURE: the rules of segments, and how a new cut changes the range that is stored with a clip. */
import type { ClipSegment, ClipDocument } from '../../contract/clip.ts'
import type { SegmentInput } from '../../contract/update-clip.ts'
import { milliseconds } from '../../contract/time-map/spans.ts'
import { invalidUpdate } from './read-clip-updates.ts'
import type { BoundaryRecord } from '../../contract/clip-candidate.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import type { Static } from '@sinclair/typebox'
import { PADDING_SECONDS } from '../runs/plan/plan-clips.ts'

/** Callers work with a duration that was rounded to milliseconds. */
const TOLERANCE = 0.001

/**
 * The ranges under their one name, in order of time. Throws INVALID_CLIP_UPDATE unless
 * 0 <= startSeconds < endSeconds <= `length` for each and none overlaps another; touching is fine.
 */
export function checkSegments(given: readonly SegmentInput[], length: number): ClipSegment[] {
  const segments = given
    .map((entry, index) => ({ index, segment: oneSegment(entry, `segments.${index}`, length) }))
    .sort((a, b) => a.segment.startSeconds - b.segment.startSeconds)
  for (const [place, { index, segment }] of segments.entries()) {
    const before = segments[place - 1]
    if (before !== undefined && before.segment.endSeconds > segment.startSeconds)
      throw invalidUpdate(
        `segments.${Math.max(index, before.index)}`,
        `a range that does not overlap segments.${Math.min(index, before.index)}`,
      )
  }
  return segments.map(({ segment }) => segment)
}

/** The ranges under their one name, in order of time, as they were sent; they are checked already. */
export const readSegments = (given: readonly SegmentInput[]): ClipSegment[] => checkSegments(given, Infinity)

function oneSegment(entry: SegmentInput, path: string, length: number): ClipSegment {
  const startSeconds = oneOf(entry.startSeconds, entry.start, `${path}.startSeconds`)
  const endSeconds = oneOf(entry.endSeconds, entry.end, `${path}.endSeconds`)
  if (startSeconds >= endSeconds) throw invalidUpdate(path, 'a range whose start is before its end')
  if (endSeconds > length + TOLERANCE)
    throw invalidUpdate(
      `${path}.endSeconds`,
      `at most the length of the clip, ${milliseconds(length)} seconds`,
    )
  const clamped = { startSeconds, endSeconds: Math.min(endSeconds, length) }
  if (clamped.startSeconds >= clamped.endSeconds)
    throw invalidUpdate(`${path}.startSeconds`, `before the end of the clip, ${milliseconds(length)} seconds`)
  return entry.playbackRate === undefined ? clamped : { ...clamped, playbackRate: entry.playbackRate }
}

function oneOf(value: number | undefined, alias: number | undefined, path: string): number {
  const seconds = value ?? alias
  if (seconds === undefined) throw invalidUpdate(path, 'a number of seconds')
  if (alias !== undefined && alias !== seconds) throw invalidUpdate(path, 'the same under both of its names')
  return seconds
}

interface Range {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
}

/** A cut that is moved further than this from the stored range gets a range of its own, without what is in between. */
const FAR_SECONDS = 120

/** The range to store for this cut, with padding; null when the stored range covers it. */
export function widenedRange(
  document: Pick<ClipDocument, 'startTimestamp' | 'endTimestamp' | 'extended'>,
  sourceDuration: number,
): Range | null {
  const { startTimestamp: start, endTimestamp: end, extended } = document
  if (start >= extended.start && end <= extended.end) return null
  const far = start > extended.end + FAR_SECONDS || end < extended.start - FAR_SECONDS
  const padded = {
    start: Math.max(0, start - PADDING_SECONDS),
    end: Math.min(sourceDuration, end + PADDING_SECONDS),
  }
  if (far) return padded
  return {
    start: start >= extended.start ? extended.start : padded.start,
    end: end <= extended.end ? extended.end : padded.end,
  }
}

/** The words of the new range: the clip's own with their edits, and around them those of the whole transcript. */
export function widenedWords(
  own: readonly TranscriptWord[],
  whole: readonly TranscriptWord[],
  ranges: { from: Range; to: Range },
): TranscriptWord[] {
  const { from, to } = ranges
  const isInside = (word: TranscriptWord): boolean => word.end > to.start && word.start < to.end
  const inside = whole.filter(isInside)
  return [
    ...inside.filter((word) => word.end <= from.start),
    ...own.filter(isInside),
    ...inside.filter((word) => word.start >= from.end && word.end > from.start),
  ]
}

type Boundary = Static<typeof BoundaryRecord>

/** Whether a time is at the edge of a sentence, and how long the pause around it is. */
export function boundaryAt(words: readonly TranscriptWord[], moment: number): Boundary {
  if (words.length === 0) return { sentenceEdge: false, pauseSeconds: 0 }
  const before = words.findLast((word) => (word.start + word.end) / 2 < moment)
  const after = words.find((word) => (word.start + word.end) / 2 >= moment)
  const inPause = (before?.end ?? 0) <= moment && moment <= (after?.start ?? Infinity)
  const pause = before === undefined || after === undefined ? 0 : after.start - before.end
  return {
    sentenceEdge: inPause && (before === undefined || after === undefined || endsSentence(before.word)),
    pauseSeconds: inPause ? Math.max(0, Math.round(pause * 1000) / 1000) : 0,
  }
}

const endsSentence = (word: string): boolean => /[.!?…。！？]["'”’)\]]*$/u.test(word)
