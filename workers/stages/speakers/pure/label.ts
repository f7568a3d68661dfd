/** Decides who speaks in each frame once all voices are known: the most likely path through all voices. PURE. */
import type { Piece } from './pieces.ts'
import { addFrame, CEPSTRA, fitOf, noVoice, type Voice, type VoiceSum } from './voiceprint.ts'

/** Frames of cepstra with the result of the segmentation. */
export interface Frames {
  /** Rows of `CEPSTRA`. */
  readonly rows: Float32Array
  /** Whether anybody speaks. */
  readonly speech: Uint8Array
  /** Whether another voice may have begun: a pause, or another voice according to the segmentation. */
  readonly edges: Uint8Array
}

/** Weight of a frame, because frames overlap and depend on each other. */
const FRAME_COUNTS = 0.25
/** Maximum evidence of one frame against a voice, because there are noises. */
const MAX_SAID = 12
/** Cost of a change of voices at an edge, and elsewhere. */
const CHANGE_AT_EDGE = 2
const CHANGE = 6

/** For each frame the index of its voice in the list, including where nobody speaks. `voices` must not be empty. */
export function labelFrames({ rows, speech, edges }: Frames, voices: readonly Voice[]): Uint8Array {
  const count = voices.length
  const frames = speech.length
  const cameFrom = new Uint8Array(frames * count)
  let scores = new Float64Array(count)
  let next = new Float64Array(count)
  const fits = new Float64Array(count)
  for (let frame = 0; frame < frames; frame += 1) {
    const best = greatest(scores)
    const changed = (scores[best] ?? 0) - (edges[frame] === 1 ? CHANGE_AT_EDGE : CHANGE)
    if (speech[frame] === 1) voices.forEach((voice, at) => (fits[at] = fitOf(voice, rows, frame)))
    else fits.fill(0)
    const least = (fits[greatest(fits)] ?? 0) - MAX_SAID
    for (let voice = 0; voice < count; voice += 1) {
      const stays = scores[voice] ?? 0
      cameFrom[frame * count + voice] = stays >= changed ? voice : best
      next[voice] = Math.max(stays, changed) + FRAME_COUNTS * Math.max(least, fits[voice] ?? 0)
    }
    const spare = scores
    scores = next
    next = spare
  }
  const labels = new Uint8Array(frames)
  let voice = greatest(scores)
  for (let frame = frames - 1; frame >= 0; frame -= 1) {
    labels[frame] = voice
    voice = cameFrom[frame * count + voice] ?? 0
  }
  return labels
}

function greatest(values: Float64Array): number {
  let best = 0
  values.forEach((value, at) => {
    if (value > (values[best] ?? 0)) best = at
  })
  return best
}

/** Frames that are this much softer than the loud ones of their piece say little about the voice and much about the room; in levels. */
const SOFTER = 140

/** Calls back for each frame of a piece that is loud enough to identify a voice. */
export function forEachLoudFrame(
  piece: Piece,
  rows: Float32Array,
  rowSeconds: number,
  take: (row: number) => void,
): void {
  const first = Math.ceil(piece.start / rowSeconds)
  const last = Math.min(rows.length / CEPSTRA, Math.floor(piece.end / rowSeconds) - 1)
  const levels: number[] = []
  for (let row = first; row < last; row += 1) levels.push(rows[row * CEPSTRA] ?? 0)
  const loud = levels.toSorted((a, b) => b - a)[Math.floor(levels.length / 10)] ?? 0
  levels.forEach((level, at) => {
    if (level > loud - SOFTER) take(first + at)
  })
}

/** The sound of each voice in the frames that are labelled with it. */
export function soundsOf(
  pieces: readonly Piece[],
  { rows }: Frames,
  rowSeconds: number,
  labels: Uint8Array,
  count: number,
): VoiceSum[] {
  const sounds = Array.from({ length: count }, noVoice)
  for (const piece of pieces) {
    forEachLoudFrame(piece, rows, rowSeconds, (row) => {
      const sound = sounds[labels[row] ?? 0]
      if (sound !== undefined) addFrame(sound, rows, row)
    })
  }
  return sounds
}
