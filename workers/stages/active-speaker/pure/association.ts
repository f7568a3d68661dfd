/**
 * Which face each voice belongs to, from how well lips fit the sound in all stretches of that voice. PURE.
 *
 * Every voice has one of the faces that are visible together, or none of them; two voices seldom share a face. The
 * probabilities are found by mean-field iteration (e.g. Bishop, Pattern Recognition and Machine Learning, 10.1).
 */

/** How well one face fits one voice. */
export interface Fit {
  readonly voice: number
  readonly track: number
  /** Logarithm of how much likelier the sound is if this person speaks than if not, over all stretches of the voice. */
  readonly evidence: number
}

const ROUNDS = 30
/** How surely two voices are two people. */
const EXCLUSIVE = 0.9
/** Logarithm of how much likelier a voice belongs to one given visible face than to somebody out of the picture. */
const VISIBLE_PRIOR = 0.5
/** However much there is of it, evidence is not surer than this, because its errors are those of one face and one voice. */
const MOST_EVIDENCE = 8

/**
 * The probability of each fit, in their order. `areTogether`: whether two tracks are in the picture at the same time, so that
 * a voice can belong to one of them only.
 */
export function associateVoices(
  fits: readonly Fit[],
  areTogether: (track: number, other: number) => boolean,
): number[] {
  let shares = fits.map(() => 0.5)
  for (let round = 0; round < ROUNDS; round += 1) {
    const strengths = fits.map(({ voice, track, evidence }) => {
      const others = fits.reduce(
        (sum, fit, at) =>
          fit.track === track && fit.voice !== voice
            ? sum + Math.log(1 - EXCLUSIVE * (shares[at] ?? 0))
            : sum,
        0,
      )
      const bounded = Math.max(-MOST_EVIDENCE, Math.min(MOST_EVIDENCE, evidence))
      return Math.exp(VISIBLE_PRIOR + bounded + others)
    })
    shares = fits.map(({ voice, track }, at) => {
      const rivals = fits.reduce(
        (sum, fit, other) =>
          fit.voice === voice && other !== at && areTogether(track, fit.track)
            ? sum + (strengths[other] ?? 0)
            : sum,
        0,
      )
      const own = strengths[at] ?? 0
      // Half of the way each time, so that two that depend on each other do not swing.
      return ((shares[at] ?? 0) + own / (1 + own + rivals)) / 2
    })
  }
  return shares
}
