/** What the segmentation model says of a window: who of up to three voices is heard in each of its frames. PURE. */

export const WINDOW_SECONDS = 10
/** Windows begin this far apart, so that each moment is heard in two of them. */
export const STEP_SECONDS = 5
/** Voices that one window tells apart. */
export const LOCAL_VOICES = 3
/** The model's answers, one for each set of voices: none, one alone, or two at once. */
const SETS: readonly (readonly number[])[] = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2]]

/** One window: `active[voice]` has a 1 for each frame in which this voice is heard. */
export interface SegmentedWindow {
  readonly startSeconds: number
  readonly frameSeconds: number
  readonly active: readonly Uint8Array[]
}

/** `scores`: for each frame one value for each set of voices. */
export function parseSegmentedWindow(scores: Float32Array, startSeconds: number): SegmentedWindow {
  const frames = Math.floor(scores.length / SETS.length)
  const active = Array.from({ length: LOCAL_VOICES }, () => new Uint8Array(frames))
  for (let frame = 0; frame < frames; frame += 1) {
    let best = 0
    for (let set = 1; set < SETS.length; set += 1) {
      const better =
        (scores[frame * SETS.length + set] ?? -Infinity) > (scores[frame * SETS.length + best] ?? 0)
      if (better) best = set
    }
    for (const voice of SETS[best] ?? []) {
      const line = active[voice]
      if (line !== undefined) line[frame] = 1
    }
  }
  return { startSeconds, frameSeconds: WINDOW_SECONDS / Math.max(1, frames), active }
}
