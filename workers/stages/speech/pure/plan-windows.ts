/** PURE. Cuts speech into windows for the model: shorter than its 30 s, cut at pauses, without silence. */
import type { Provider } from '../../../../server/contract/inference.ts'

export interface SpeechWindow {
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

/** A long source is decoded in parts of this length, so that several machines can share it. */
export const PART_SECONDS = 600

/** Number of the part in which a window begins, from 0. */
export const partOf = ({ start }: Pick<SpeechWindow, 'start'>): number => Math.floor(start / PART_SECONDS)

/** More windows gain little, because rows wait for the longest one. */
const MAX_TOGETHER = 8
/** Share of the free memory that a batch may take. */
const MEMORY_SHARE = 0.25

/** One on the processor, whose cores one window uses. A graphics card gets as many as its memory permits. */
export function windowsTogether(
  provider: Provider,
  { freeBytes, bytesEach }: { readonly freeBytes: number; readonly bytesEach: number },
): number {
  if (provider === 'cpu') return 1
  return Math.max(1, Math.min(MAX_TOGETHER, Math.floor((freeBytes * MEMORY_SHARE) / bytesEach)))
}

export interface VoiceSegment {
  readonly start: number
  readonly end: number
}

const ON = 0.5
const OFF = 0.35
const MIN_SPEECH_SECONDS = 0.2
const JOIN_SECONDS = 0.15

/** Speech starts above one threshold and continues until below a lower one; very short ranges are dropped, small gaps joined. */
export function voiceSegments(probabilities: Float32Array, frameSeconds: number): VoiceSegment[] {
  const raw: { start: number; end: number }[] = []
  let open: number | null = null
  for (let frame = 0; frame <= probabilities.length; frame += 1) {
    const probability = probabilities[frame] ?? 0
    if (open === null && probability >= ON) open = frame
    if (open !== null && (probability < OFF || frame === probabilities.length)) {
      const start = open * frameSeconds
      const end = frame * frameSeconds
      const last = raw.at(-1)
      if (last !== undefined && start - last.end < JOIN_SECONDS) last.end = end
      else raw.push({ start, end })
      open = null
    }
  }
  return raw.filter((segment) => segment.end - segment.start >= MIN_SPEECH_SECONDS)
}

/** Voice probability per frame by the level above the background. For clean recordings: noise is taken for speech. */
export function voiceFromLevel(
  levelDb: Float32Array,
  noiseLevelDb: number,
  speechLevelDb: number,
): Float32Array {
  const span = Math.max(10, speechLevelDb - noiseLevelDb)
  const threshold = Math.max(-60, noiseLevelDb + span * 0.4)
  const probabilities = new Float32Array(levelDb.length)
  const hangover = 15
  let sinceLoud = Infinity
  for (let frame = 0; frame < levelDb.length; frame += 1) {
    sinceLoud = (levelDb[frame] ?? -100) > threshold ? 0 : sinceLoud + 1
    // Stops and breaths inside words are quiet, so speech continues for a moment after the level falls.
    probabilities[frame] = sinceLoud <= hangover ? 1 : 0
  }
  return probabilities
}

/** Seconds of speech between two moments. */
export function voicedSeconds(segments: readonly VoiceSegment[], from: number, to: number): number {
  let sum = 0
  for (const segment of segments)
    sum += Math.max(0, Math.min(to, segment.end) - Math.max(from, segment.start))
  return sum
}
