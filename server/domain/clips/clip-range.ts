/** PURE: extends the stored range of a clip whose cut was moved beyond it: range, words, and sentence edges. */
import type { BoundaryRecord } from '../../contract/clip-candidate.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import type { Static } from '@sinclair/typebox'
import { PADDING_SECONDS } from '../runs/plan/plan-clips.ts'

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
  ranges: { readonly from: Range; readonly to: Range },
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
