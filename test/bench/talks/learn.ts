/** Logistic regression for what is learned from written talks. */
import { weigh } from '../../../workers/stages/find-clips/pure/numbers.ts'
import type { Weights } from '../../../workers/stages/find-clips/pure/story-weights.ts'

/** Strength of the pull of weights to 0, for inputs of the same spread: so few examples teach little else. */
const RIDGE = 0.6
const STEPS = 300
const RATE = 0.03

export interface Example {
  readonly inputs: readonly number[]
  readonly truth: boolean
  /** How much it counts among those of its truth; 1 where it is left out. */
  readonly weight?: number
}

interface LearnOptions {
  readonly ridge?: number
  /** Whether true and false examples weigh the same, however many there are of each. */
  readonly balanced?: boolean
}

/** Logistic regression with ridge, by Adam; weights are those of the plain inputs. */
export function learn(
  examples: readonly Example[],
  { ridge = RIDGE, balanced = true }: LearnOptions = {},
): Weights {
  const size = examples[0]?.inputs.length ?? 0
  const mean = new Float64Array(size)
  const spread = new Float64Array(size)
  for (const { inputs } of examples) inputs.forEach((value, at) => (mean[at]! += value / examples.length))
  for (const { inputs } of examples)
    inputs.forEach((value, at) => (spread[at]! += (value - (mean[at] ?? 0)) ** 2 / examples.length))
  const scaled = examples.map(({ inputs }) =>
    Float64Array.from(inputs, (value, at) => (value - (mean[at] ?? 0)) / (Math.sqrt(spread[at] ?? 0) + 1e-6)),
  )
  const sumOf = (of: boolean): number =>
    examples.reduce((sum, { truth, weight = 1 }) => sum + (truth === of ? weight : 0), 0)
  const all = sumOf(true) + sumOf(false)
  const shares = balanced
    ? { right: 0.5 / sumOf(true), wrong: 0.5 / sumOf(false) }
    : { right: 1 / all, wrong: 1 / all }
  // The last weight is the bias.
  const weights = new Float64Array(size + 1)
  const slow = new Float64Array(size + 1)
  const square = new Float64Array(size + 1)
  for (let step = 1; step <= STEPS; step += 1) {
    const gradient = Float64Array.from(weights, (weight, at) => (at < size ? ridge * weight : 0))
    scaled.forEach((row, index) => {
      const { truth = false, weight = 1 } = examples[index] ?? {}
      let odds = weights[size] ?? 0
      for (let at = 0; at < size; at += 1) odds += (row[at] ?? 0) * (weights[at] ?? 0)
      const error =
        (1 / (1 + Math.exp(-odds)) - Number(truth)) * weight * (truth ? shares.right : shares.wrong)
      for (let at = 0; at < size; at += 1) gradient[at]! += error * (row[at] ?? 0)
      gradient[size]! += error
    })
    gradient.forEach((value, at) => {
      slow[at] = 0.9 * (slow[at] ?? 0) + 0.1 * value
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * value * value
      const rise = (slow[at] ?? 0) / (1 - 0.9 ** step)
      const width = Math.sqrt((square[at] ?? 0) / (1 - 0.999 ** step)) + 1e-8
      weights[at]! -= (RATE * rise) / width
    })
  }
  const plain = [...weights.slice(0, size)].map((weight, at) => weight / (Math.sqrt(spread[at] ?? 0) + 1e-6))
  const shift = plain.reduce((sum, weight, at) => sum + weight * (mean[at] ?? 0), 0)
  return { bias: (weights[size] ?? 0) - shift, weights: plain }
}

export const oddsOf = (learned: Weights, { inputs }: Pick<Example, 'inputs'>): number =>
  weigh(learned, inputs)

/** With four digits behind the point. */
export function rounded({ bias, weights }: Weights): Weights {
  const to4 = (value: number): number => Number(value.toFixed(4))
  return { bias: to4(bias), weights: weights.map(to4) }
}
