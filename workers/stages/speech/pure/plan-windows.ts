/** PURE. Cuts speech into windows for the model: shorter than its 30 s, cut at pauses, without silence. */
import type { VoiceSegment } from './voice-segments.ts'

export interface SpeechWindow {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
}

/** The model's times drift towards the end of a full 30 s window, so windows are shorter. */
const LONGEST = 27
const MARGIN = 0.2
/** Longer silence is not worth decoding, and leads to invented words. */
const MAX_GAP = 3

/** Windows in order without overlap; every segment is in one, unless speech continues for longer than a window. */
export function planWindows(segments: readonly VoiceSegment[], durationSeconds: number): SpeechWindow[] {
  const pieces = segments.flatMap(splitLong)
  const groups: { start: number; end: number }[] = []
  for (const piece of pieces) {
    const open = groups.at(-1)
    const fits = open !== undefined && piece.end - open.start <= LONGEST && piece.start - open.end <= MAX_GAP
    if (fits) open.end = piece.end
    else groups.push({ start: piece.start, end: piece.end })
  }
  return groups.map((group, index) => {
    const before = groups[index - 1]
    const after = groups[index + 1]
    // The margin ends in the middle of the gap to the neighbour.
    const start = Math.max(group.start - MARGIN, before === undefined ? 0 : (before.end + group.start) / 2)
    const end = Math.min(
      group.end + MARGIN,
      after === undefined ? durationSeconds : (group.end + after.start) / 2,
    )
    return { start: round(Math.max(0, start)), end: round(Math.min(durationSeconds, end)) }
  })
}

/** Speech without any pause is cut into equal parts; only this cut may fall into a word. */
function splitLong(segment: VoiceSegment): VoiceSegment[] {
  const length = segment.end - segment.start
  const parts = Math.ceil(length / LONGEST)
  return Array.from({ length: parts }, (_, index) => ({
    start: segment.start + (length * index) / parts,
    end: segment.start + (length * (index + 1)) / parts,
  }))
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
