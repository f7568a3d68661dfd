/**
 * Sources in which a seek may land between keyframes (`seeksLoosely`): the picture then stands still until the next
 * keyframe. Reading therefore starts earlier, and what comes before the wanted time is dropped. PURE.
 */

import { ticksToSeconds, type Ticks } from '../../../server/contract/time.ts'

/** Seconds read before the wanted time: encoders usually set a keyframe at least every 250 frames. */
export const LOOSE_LEAD_SECONDS = 12

/**
 * Seconds of sound read before the wanted time. An MP3 frame may need data from earlier frames (154 ms, measured in a quiet
 * one), and frames whose data is missing are silent.
 */
export const SOUND_LEAD_SECONDS = 0.3

/** What is known about seeking in a source (`seekingIn`). */
export interface Seeking {
  /** A seek in the container may land between key frames. */
  readonly seeksLoosely?: true | undefined
  /** Time at which the picture ends, if the sound is longer. */
  readonly pictureEnd?: Ticks | undefined
}

/** Where to seek to show `start`, and how many seconds to drop from there. Seconds from the source's time 0. */
export function looseSeek(
  start: number,
  { seeksLoosely, pictureEnd }: Seeking,
): { readonly from: number; readonly drop: number } {
  if (seeksLoosely !== true) return { from: start, drop: 0 }
  // After its last picture a source has none to find: the last one is still shown.
  const shown = pictureEnd === undefined ? start : Math.min(start, ticksToSeconds(pictureEnd))
  const from = Math.max(0, shown - LOOSE_LEAD_SECONDS)
  return { from, drop: start - from }
}
