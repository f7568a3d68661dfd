/** PURE. Applies a learned model: calibrates a clip's score within bounds, and names the reasons. */
import {
  type ClipFeature,
  type ClipFeatures,
  type ScoreReason,
  calibrate,
  rawScore,
} from '../../contract/clip-candidate.ts'
import type { LearningReport, TasteModel } from '../../contract/learning.ts'
import { rawShift } from './train.ts'

/** Maximum number of reasons that are shown. */
const MAX_REASONS = 2

export interface Calibrated {
  /** 0 to 100. */
  readonly score: number
  readonly reason: ScoreReason
}

/** Null where nothing is learned: the score stays as it is. */
export function calibrated(
  model: TasteModel,
  clip: { features: ClipFeatures; score: number },
): Calibrated | null {
  if (model.state !== 'learned') return null
  const score = calibrate(rawScore(clip.score) + rawShift(model, clip))
  return {
    score,
    reason: { name: 'results', score: Math.round(score), reason: reasonFor(model, clip, score) },
  }
}

function reasonFor(
  model: TasteModel,
  clip: { features: ClipFeatures; score: number },
  score: number,
): string {
  const points = Math.round(score - clip.score)
  const learnedFrom = `by what did well for this company before`
  if (points === 0) return `Left as it is ${learnedFrom}.`
  const parts = model.features
    .flatMap(({ name, mean, deviation, weight }) => {
      const value = clip.features[name]
      const effect = value === undefined ? 0 : (weight * (value - mean)) / deviation
      return effect === 0 ? [] : [{ effect, said: MEANINGS[name][(value ?? 0) > mean ? 'more' : 'less'] }]
    })
    .filter(({ effect }) => effect > 0 === points > 0)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
    .slice(0, MAX_REASONS)
  const why = parts.map(({ said }) => said).join(' and ')
  const verb = points > 0 ? 'Raised' : 'Lowered'
  const size = Math.abs(points)
  return `${verb} by ${size} ${size === 1 ? 'point' : 'points'} ${learnedFrom}${why === '' ? '' : `: ${why}`}.`
}

/** What a clip with more or less of it than this company's others has. */
const MEANINGS: Readonly<Record<ClipFeature, { readonly more: string; readonly less: string }>> = {
  story: { more: 'a story of its own', less: 'no story of its own' },
  hook: { more: 'a strong opening', less: 'a plain opening' },
  flow: { more: 'one thread without breaks', less: 'a loose thread' },
  value: { more: 'figures, rules and reasons', less: 'few figures and rules' },
  emotion: { more: 'strong feelings', less: 'a matter-of-fact tone' },
  ending: { more: 'a strong ending', less: 'a plain ending' },
  length: { more: 'its length', less: 'its shortness' },
  relevance: { more: 'what was asked for', less: 'little of what was asked for' },
  laughter: { more: 'laughter', less: 'no laughter' },
  applause: { more: 'applause', less: 'no applause' },
  cheering: { more: 'cheering', less: 'no cheering' },
  music: { more: 'music', less: 'little music' },
  raised: { more: 'a raised voice', less: 'an even voice' },
  lively: { more: 'a lively voice', less: 'a level voice' },
  cuts: { more: 'many cuts', less: 'few cuts' },
  faces: { more: 'faces', less: 'few faces' },
  motion: { more: 'much movement', less: 'little movement' },
  judge: { more: 'what the language model liked', less: 'what the language model did not like' },
}

/** What counts here in addition to the score, the strongest first. */
export function preferencesOf(model: TasteModel): LearningReport['preferences'] {
  return model.features
    .map(({ name, weight }) => ({
      feature: name,
      meaning: MEANINGS[name][weight > 0 ? 'more' : 'less'],
      points: Math.round((calibrate(57 + weight * model.score.deviation) - calibrate(57)) * 10) / 10,
    }))
    .filter(({ points }) => Math.abs(points) >= 0.5)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
}
