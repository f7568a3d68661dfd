/** Companies whose taste is known, for tests and the bench of learning. Numbers from a seed, the same each time. */
import { calibrate, type ClipFeatures } from '../../server/contract/clip-candidate.ts'
import type { Example } from '../../server/domain/learning/labels.ts'

type Features = Required<
  Pick<ClipFeatures, 'hook' | 'flow' | 'value' | 'emotion' | 'ending' | 'length' | 'relevance'>
>

/** By how much better than others such a clip does, in deviations; the scorer's own raw score is given too. */
export type Preference = (features: Features, raw: number) => number

export interface SyntheticExample extends Example {
  readonly score: number
  /** The company's rating without noise. */
  readonly truth: number
}

/** Uniform numbers, 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Clips, six to a run, with labels by the preference and chance. */
export function syntheticExamples(
  count: number,
  { preference, chance, seed }: { preference: Preference; chance: number; seed: number },
): SyntheticExample[] {
  const random = seeded(seed)
  const normal = (): number => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())
  return Array.from({ length: count }, (_, index) => {
    const features: Features = {
      hook: 50 + 15 * normal(),
      flow: 65 + 10 * normal(),
      value: 40 + 12 * normal(),
      emotion: 45 + 15 * normal(),
      ending: 55 + 14 * normal(),
      length: 3.3 + 0.3 * normal(),
      relevance: 0,
    }
    const { hook, flow, value, emotion, ending } = features
    const raw = 0.26 * hook + 0.22 * flow + 0.18 * value + 0.14 * emotion + 0.2 * ending
    const truth = preference(features, raw)
    return {
      clipId: `clip-${index}`,
      group: `run-${Math.floor(index / 6)}`,
      features,
      raw,
      truth,
      score: calibrate(raw),
      label: Math.tanh(truth + chance * normal()),
      weight: 1,
    }
  })
}

/** Likes feelings and short clips, dislikes figures: nothing of which the score knows. */
export const LIKES_FEELINGS: Preference = ({ emotion, value, length }) =>
  (emotion - 45) / 15 - (0.8 * (value - 40)) / 12 - (0.6 * (length - 3.3)) / 0.3

/** Likes what the score likes. */
export const AS_SCORED: Preference = (_, raw) => (raw - 50) / 6

/** Carries nothing but noise. */
export const NO_TASTE: Preference = () => 0
