/**
 * Sources in which a seek may land between key frames (`seeksLoosely`): what is read from there on stands still until the
 * next one. So reading begins earlier, and what lies before is dropped. PURE.
 */

import { ticksToSeconds, type Ticks } from '../../../server/contract/time.ts'

/** Seconds read before what is wanted: encoders set a key frame every 250 frames at the latest, as a rule. */
export const LOOSE_LEAD_SECONDS = 12

/**
 * Seconds of sound read before what is wanted: an MP3 says a part of each frame in those before it (154 ms, measured of a
 * quiet one), and what cannot be put together is silent.
 */
export const SOUND_LEAD_SECONDS = 0.3

/** What is known of seeking in a source (`seekingIn`). */
export interface Seeking {
  /** A seek in the container may land between key frames. */
  readonly seeksLoosely?: true | undefined
  /** Where its picture ends when its sound goes on. */
  readonly pictureEnd?: Ticks | undefined
}

/** Where to seek for what lies at `start`, and how many seconds to drop from there. Seconds from the source's time 0. */
export function looseSeek(
  start: number,
  { seeksLoosely, pictureEnd }: Seeking,
): { readonly from: number; readonly drop: number } {
  if (seeksLoosely !== true) return { from: start, drop: 0 }
  // After the last picture there is none to find: it is still on.
  const shown = pictureEnd === undefined ? start : Math.min(start, ticksToSeconds(pictureEnd))
  const from = Math.max(0, shown - LOOSE_LEAD_SECONDS)
  return { from, drop: start - from }
}
