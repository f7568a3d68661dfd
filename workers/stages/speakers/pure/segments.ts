/** The result of the segmentation model for a window: which of up to three voices speaks in each frame. PURE. */

export const WINDOW_SECONDS = 10
/** Seconds between the starts of windows, so that each moment is in two of them. */
export const STEP_SECONDS = 5
/** Number of voices that one window can tell apart. */
export const LOCAL_VOICES = 3
/** The model's classes, one per set of voices: none, one alone, or two at once. */
const SETS: readonly (readonly number[])[] = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2]]

/** One window: `active[voice]` has a 1 for each frame in which this voice speaks. */
export interface SegmentedWindow {
  readonly startSeconds: number
  readonly frameSeconds: number
  readonly active: readonly Uint8Array[]
}

/** `scores`: for each frame one value per class. */
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
