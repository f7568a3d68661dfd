/** PURE. Cuts speech into windows for the model: under its 30 s, at pauses, silence left out. */
import type { VoiceSegment } from './voice-segments.ts'

export interface SpeechWindow {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
}

/** Times of the model drift towards the end of a full 30 s window: stay below. */
const LONGEST = 27
const MARGIN = 0.2
/** Quiet longer than this is not worth decoding, and invites invented words. */
const MAX_GAP = 3

/** Windows in order, not overlapping; every segment lies in one, except where speech goes on longer than a window. */
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

/** Speech without any pause: equal parts, the only cut that may fall into a word. */
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
