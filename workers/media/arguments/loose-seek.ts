/**
 * Sources in which a seek may land between key frames (`seeksLoosely`): what is read from there on stands still until the
 * next one. So reading begins earlier, and what lies before is dropped. PURE.
 */

/** Seconds read before what is wanted: encoders set a key frame every 250 frames at the latest, as a rule. */
export const LOOSE_LEAD_SECONDS = 12

/** Where to seek for what lies at `start`, and how many seconds to drop from there. Seconds from the source's time 0. */
export function looseSeek(start: number, loose = false): { readonly from: number; readonly drop: number } {
  const from = loose ? Math.max(0, start - LOOSE_LEAD_SECONDS) : start
  return { from, drop: start - from }
}
