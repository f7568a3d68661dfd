/**
 * PURE. Learns how much better or worse a company's clips do than their score predicts: a ridge regression of what the
 * default score leaves unexplained, so that everything is drawn towards the default. Its strength, and whether it is
 * used at all, is decided on examples that the model has not seen.
 */
import { CLIP_FEATURES } from '../../contract/clip-candidate.ts'
import type { TasteModel } from '../../contract/learning.ts'
import type { Example } from './labels.ts'

/** Fewer examples cannot be distinguished from chance. */
export const EXAMPLES_NEEDED = 20

/**
 * How much better a clip does per deviation of score, in deviations, without any knowledge of the company. It scales
 * what is added to the score.
 */
const TRUST_IN_SCORE = 0.4

/** From the loosest to the strongest pull towards the default. */
const PULLS = [3, 10, 30, 100, 300] as const
const FOLDS = 10
/** Pairs of clips with about equal results are not compared. */
const CLEARLY = 0.1
/** What is gained on unseen clips must be so many times what chance makes of it. */
const SURE = 1.5
const CONSTANT = 1e-6

interface Scale {
  readonly mean: number
  readonly deviation: number
}

/** Never throws, whatever the examples are. */
export function trainTaste(examples: readonly Example[]): TasteModel {
  if (examples.length < EXAMPLES_NEEDED)
    return untrained('few', { pairs: 0, hitRate: null, defaultHitRate: null })
  const tried = PULLS.map((pull) => ({ pull, ...predictUnseen(examples, pull) }))
  const defaultRates = hitRateOf(
    examples,
    examples.map(({ raw }) => raw),
  )
  const measured = tried.map(({ pull, predicted, gains }) => ({
    pull,
    rate: hitRateOf(examples, predicted).rate,
    ...gainOf(gains, examples),
  }))
  const best = measured.reduce((a, b) => (b.gain > a.gain ? b : a))
  // The strongest pull that does as well as the best, within the error of so few examples.
  const chosen = measured.findLast(({ gain }) => gain >= best.gain - best.error) ?? best
  const rates = { pairs: defaultRates.pairs, defaultHitRate: defaultRates.rate, hitRate: chosen.rate }
  const better =
    chosen.gain > SURE * chosen.error &&
    chosen.rate !== null &&
    defaultRates.rate !== null &&
    chosen.rate >= defaultRates.rate
  return better
    ? { state: 'learned', pull: chosen.pull, ...rates, ...fit(examples, chosen.pull) }
    : untrained('default', rates)
}

type Rates = Pick<TasteModel, 'pairs' | 'hitRate' | 'defaultHitRate'>

const untrained = (state: 'few' | 'default', rates: Rates): TasteModel => ({
  state,
  pull: null,
  score: { mean: 0, deviation: 1 },
  features: [],
  ...rates,
})

type Fitted = Pick<TasteModel, 'score' | 'features'>

interface Fold extends Fitted {
  readonly label: Scale
}

function fit(examples: readonly Example[], pull: number): Fold {
  const weights = examples.map(({ weight }) => weight)
  const scaleOf = (values: readonly number[]): Scale => scale(values, weights)
  const score = orOne(scaleOf(examples.map(({ raw }) => raw)))
  const label = orOne(scaleOf(examples.map((example) => example.label)))
  const features = CLIP_FEATURES.flatMap((name) => {
    const known = examples.filter(({ features: all }) => all[name] !== undefined)
    const of = scale(
      known.map(({ features: all }) => all[name] ?? 0),
      known.map(({ weight }) => weight),
    )
    return of.deviation < CONSTANT ? [] : [{ name, ...of }]
  })
  const rows = examples.map((example): RidgeRow => ({
    x: features.map(({ name, mean, deviation }) => standard(example.features[name], { mean, deviation })),
    y: standard(example.label, label) - TRUST_IN_SCORE * standard(example.raw, score),
    weight: example.weight,
  }))
  const coefficients = ridge(rows, pull)
  return {
    score,
    label,
    features: features.map((feature, index) => ({
      ...feature,
      weight: (coefficients[index] ?? 0) / TRUST_IN_SCORE,
    })),
  }
}

/** Each example as predicted by a model that was made without its run, and by how much better than the default. */
function predictUnseen(examples: readonly Example[], pull: number): { predicted: number[]; gains: number[] } {
  const places = foldsOf(examples)
  const predicted = new Array<number>(examples.length).fill(0)
  const gains = new Array<number>(examples.length).fill(0)
  for (const fold of new Set(places)) {
    const seen = examples.filter((_, index) => places[index] !== fold)
    if (seen.length === 0) continue
    const made = fit(seen, pull)
    const trust = trustIn(made, seen)
    examples.forEach((example, index) => {
      if (places[index] !== fold) return
      const truth = standard(example.label, made.label)
      const byScore = standard(example.raw, made.score)
      const learned = TRUST_IN_SCORE * (byScore + shiftOf(made, example))
      // In raw points, by the scale of all: what two folds predict can be compared.
      predicted[index] = example.raw + rawShift(made, example)
      gains[index] = (truth - trust * byScore) ** 2 - (truth - learned) ** 2
    })
  }
  return { predicted, gains }
}

/** What was learned moves a raw score by at most this: about 19 points in the middle of the scale, 3 near its ends. */
const MOST = 10

/**
 * By how many raw points the features move a score. The bound is soft: larger shifts are compressed and stay in order.
 */
export function rawShift(model: Fitted, clip: Pick<Example, 'features'>): number {
  return MOST * Math.tanh((model.score.deviation * shiftOf(model, clip)) / MOST)
}

/** The same in deviations of the score, without a bound. */
function shiftOf(model: Fitted, { features }: Pick<Example, 'features'>): number {
  return model.features.reduce((sum, one) => sum + one.weight * standard(features[one.name], one), 0)
}

/**
 * How well the score alone predicts these labels, 0 to 1; the learned model must do better. Otherwise labels unrelated
 * to the score would make a model that only distrusts it look good.
 */
function trustIn({ score, label }: Fold, examples: readonly Example[]): number {
  let both = 0
  let alone = 1
  for (const { raw, label: known, weight } of examples) {
    const by = standard(raw, score)
    both += weight * by * standard(known, label)
    alone += weight * by * by
  }
  return Math.min(1, Math.max(0, both / alone))
}

/** A fold for each example: whole runs where there are several, else the examples by themselves. */
function foldsOf(examples: readonly Example[]): number[] {
  const groups = [...new Set(examples.map(({ group }) => group))]
  return groups.length >= 4
    ? examples.map(({ group }) => groups.indexOf(group) % FOLDS)
    : examples.map((_, index) => index % FOLDS)
}

function gainOf(gains: readonly number[], examples: readonly Example[]): { gain: number; error: number } {
  const of = scale(
    gains,
    examples.map(({ weight }) => weight),
  )
  return { gain: of.mean, error: of.deviation / Math.sqrt(gains.length) }
}

/** The share of pairs of which one did clearly better that the predictions rank rightly; a tie is half right. */
export function hitRateOf(
  examples: readonly Pick<Example, 'label'>[],
  predicted: readonly number[],
): { pairs: number; rate: number | null } {
  let pairs = 0
  let right = 0
  examples.forEach((a, i) => {
    for (let j = i + 1; j < examples.length; j += 1) {
      const difference = a.label - (examples[j]?.label ?? a.label)
      if (Math.abs(difference) < CLEARLY) continue
      pairs += 1
      const predictedDifference = (predicted[i] ?? 0) - (predicted[j] ?? 0)
      right += predictedDifference === 0 ? 0.5 : predictedDifference > 0 === difference > 0 ? 1 : 0
    }
  })
  return { pairs, rate: pairs === 0 ? null : right / pairs }
}

function scale(values: readonly number[], weights: readonly number[]): Scale {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total <= 0) return { mean: 0, deviation: 0 }
  const mean = values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0) / total
  const spread =
    values.reduce((sum, value, index) => sum + (weights[index] ?? 0) * (value - mean) ** 2, 0) / total
  return { mean, deviation: Math.sqrt(spread) }
}

const orOne = (of: Scale): Scale => (of.deviation < CONSTANT ? { ...of, deviation: 1 } : of)

/** In deviations from the mean; 0 for what was not measured, and at most 4: one odd clip does not carry a model. */
function standard(value: number | undefined, { mean, deviation }: Scale): number {
  return value === undefined ? 0 : Math.min(4, Math.max(-4, (value - mean) / deviation))
}

/** PURE. Weighted ridge regression in closed form, for a few dozen features and a few hundred rows. */

export interface RidgeRow {
  /** Standardised: mean 0, deviation 1. All rows have as many. */
  readonly x: readonly number[]
  readonly y: number
  /** Above 0. */
  readonly weight: number
}

/**
 * The coefficients b that make sum(weight * (y - x.b)^2) + pull * |b|^2 smallest, without an intercept. `pull` above 0
 * makes the system positive definite whatever the rows are, twins and constants among the features included.
 */
export function ridge(rows: readonly RidgeRow[], pull: number): number[] {
  const size = rows[0]?.x.length ?? 0
  const matrix = Array.from({ length: size }, () => new Float64Array(size))
  const right = new Float64Array(size)
  for (const { x, y, weight } of rows) {
    for (let i = 0; i < size; i += 1) {
      const xi = weight * (x[i] ?? 0)
      right[i] = (right[i] ?? 0) + xi * y
      const row = matrix[i]
      if (row === undefined) continue
      for (let j = 0; j <= i; j += 1) row[j] = (row[j] ?? 0) + xi * (x[j] ?? 0)
    }
  }
  matrix.forEach((row, i) => (row[i] = (row[i] ?? 0) + pull))
  return solve(cholesky(matrix), right)
}

/** The lower triangle L of a positive definite matrix L L', of which only the lower triangle is read. */
function cholesky(matrix: readonly Float64Array[]): Float64Array[] {
  const lower = matrix.map((row) => new Float64Array(row.length))
  matrix.forEach((row, i) => {
    const own = lower[i]
    if (own === undefined) return
    for (let j = 0; j <= i; j += 1) {
      const other = lower[j] ?? own
      let rest = row[j] ?? 0
      for (let k = 0; k < j; k += 1) rest -= (own[k] ?? 0) * (other[k] ?? 0)
      // Rounding may leave a little less than nothing on the diagonal.
      own[j] = i === j ? Math.sqrt(Math.max(rest, 1e-12)) : rest / (other[j] ?? 1)
    }
  })
  return lower
}

/** x of L L' x = right. */
function solve(lower: readonly Float64Array[], right: Float64Array): number[] {
  const size = right.length
  const half = new Float64Array(size)
  for (let i = 0; i < size; i += 1) {
    let rest = right[i] ?? 0
    for (let k = 0; k < i; k += 1) rest -= (lower[i]?.[k] ?? 0) * (half[k] ?? 0)
    half[i] = rest / (lower[i]?.[i] ?? 1)
  }
  const solution = new Array<number>(size).fill(0)
  for (let i = size - 1; i >= 0; i -= 1) {
    let rest = half[i] ?? 0
    for (let k = i + 1; k < size; k += 1) rest -= (lower[k]?.[i] ?? 0) * (solution[k] ?? 0)
    solution[i] = rest / (lower[i]?.[i] ?? 1)
  }
  return solution
}
