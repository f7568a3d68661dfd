/**
 * How strong the tail of a room is in each frame: what was heard shortly before, as it dies away (Lebart, Boucher and Denbigh, "A new
 * method based on spectral subtraction for speech dereverberation", 2001).
 */
import { SAMPLE_RATE } from '../../../../media/arguments/render-time.ts'
import { BINS, HOP } from './spectral-filter.ts'

/** Seconds after a sound from which on its echoes are heard as room, and not as part of it. */
const LATE_SECONDS = 0.064
const LATE_FRAMES = Math.round((LATE_SECONDS * SAMPLE_RATE) / HOP)
/** Seconds in which the sound of a room that is treated dies away by 60 dB. Livelier ones are treated as if they were this one. */
const DECAY_SECONDS = 0.5
const LATE_SHARE = 10 ** ((-6 * LATE_FRAMES * HOP) / SAMPLE_RATE / DECAY_SECONDS)
/** Echoes come from all that was heard over about so many frames. */
const KEPT = 0.6

/** For each frame, power by frequency; what is below the noise is no room. */
export function createReverbTracker() {
  const smooth = new Float64Array(BINS)
  const past = Array.from({ length: LATE_FRAMES }, () => new Float64Array(BINS))
  const late = new Float64Array(BINS)
  let at = 0
  return (power: Float64Array, noise: Float64Array): Float64Array => {
    const then = past[at] ?? late
    at = (at + 1) % LATE_FRAMES
    for (let bin = 0; bin < BINS; bin++) {
      late[bin] = LATE_SHARE * Math.max(0, (then[bin] ?? 0) - (noise[bin] ?? 0))
      smooth[bin] = KEPT * (smooth[bin] ?? 0) + (1 - KEPT) * (power[bin] ?? 0)
    }
    then.set(smooth)
    return late
  }
}
