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
const EXCLUSIVE = 0.8
/** Logarithm of how much likelier a voice belongs to one given visible face than to somebody out of the picture. */
const VISIBLE_PRIOR = 0.5
/** However much there is of it, evidence for a face is not surer than this, because its errors are not independent. */
const MOST_EVIDENCE = 8

/**
 * The probability of each fit, in their order. `areTogether`: whether two tracks are in the picture at the same time, so that
 * a voice can belong to one of them only.
 */
export function associateVoices(
  fits: readonly Fit[],
  areTogether: (track: number, other: number) => boolean,
): number[] {
  const rivals = fits.map(({ voice, track }, at) =>
    [...fits.keys()].filter(
      (other) => other !== at && fits[other]?.voice === voice && areTogether(track, fits[other].track),
    ),
  )
  const evidence = fits.map((fit, at) => {
    const best = Math.max(
      fit.evidence,
      ...(rivals[at] ?? []).map((other) => fits[other]?.evidence ?? -Infinity),
    )
    // The differences between faces remain, however much all of them move.
    return Math.min(MOST_EVIDENCE, best) - Math.min(MOST_EVIDENCE, best - fit.evidence)
  })
  let shares = fits.map(() => 0.5)
  for (let round = 0; round < ROUNDS; round += 1) {
    const strengths = fits.map(({ voice, track }, at) => {
      const others = fits.reduce(
        (sum, fit, other) =>
          fit.track === track && fit.voice !== voice
            ? sum + Math.log(1 - EXCLUSIVE * (shares[other] ?? 0))
            : sum,
        0,
      )
      return Math.exp(VISIBLE_PRIOR + (evidence[at] ?? 0) + others)
    })
    shares = shares.map((share, at) => {
      const own = strengths[at] ?? 0
      const all = (rivals[at] ?? []).reduce((sum, other) => sum + (strengths[other] ?? 0), 1 + own)
      // Half of the way each time, so that two that depend on each other do not swing.
      return (share + own / all) / 2
    })
  }
  return shares
}
