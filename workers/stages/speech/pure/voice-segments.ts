/** PURE. Turns frames of voice probability into ranges of speech. */

export interface VoiceSegment {
  /** Seconds in the source. */
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

/**
 * Voice probability from the level alone, one value per frame: how far a frame is above the background around it. Works for clean
 * recordings only; changing noise is taken for speech.
 */
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
