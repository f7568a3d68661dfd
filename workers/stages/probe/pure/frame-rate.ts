/** Frame rates: what a stream declares, whether its packets agree, and the rate to convert to. PURE. */
import type { Rational } from '../../../../server/contract/time.ts'

const STANDARD: readonly Rational[] = [
  [10, 1],
  [12, 1],
  [15, 1],
  [24_000, 1001],
  [24, 1],
  [25, 1],
  [30_000, 1001],
  [30, 1],
  [48, 1],
  [50, 1],
  [60_000, 1001],
  [60, 1],
  [100, 1],
  [120_000, 1001],
  [120, 1],
].map(([numerator = 1, denominator = 1]) => ({ numerator, denominator }))

/** A higher nominal rate is a clock and not a rate, unless the average confirms it. */
const MAX_DECLARED_RATE = 240

/** Parses `30000/1001` or `16:15` as a fraction; null for `0/0` and absent. */
export function parseRational(text: string | undefined): Rational | null {
  const match = /^(\d+)[/:](\d+)$/.exec(text ?? '')
  const numerator = Number(match?.[1])
  const denominator = Number(match?.[2])
  return numerator > 0 && denominator > 0 ? reduce({ numerator, denominator }) : null
}

/** `average`, `nominal`: ffprobe's avg_frame_rate and r_frame_rate. `samples`: sorted times of some packets. */
export function decideFrameRate(
  average: Rational | null,
  nominal: Rational | null,
  samples: readonly (readonly number[])[],
): { readonly frameRate: Rational; readonly variableFrameRate: boolean } {
  const measured = measuredRate(samples)
  // Browsers record WebM without a rate; its millisecond clock then appears as a thousand frames per second.
  const declared = nominal !== null && value(nominal) > MAX_DECLARED_RATE ? null : nominal
  const mean = average ?? declared ?? measured ?? nominal ?? { numerator: 30, denominator: 1 }
  const variableFrameRate = disagree(average, nominal) || isUneven(samples)
  if (variableFrameRate) return { frameRate: conformRate(mean, nominal), variableFrameRate }
  // A declared length that is slightly too long (fragmented MP4) turns 25 into 24.98: the nominal rate was meant.
  const near = standardNear(mean) ?? (nominal === null ? undefined : agreedRate(mean, nominal))
  // A constant rate that is not standard (12.5, 18) stays within the limits of rendering.
  return { frameRate: near ?? (value(mean) > 120 ? nearestStandard(120) : reduce(mean)), variableFrameRate }
}

const standardNear = (rate: Rational): Rational | undefined =>
  STANDARD.find((standard) => Math.abs(value(standard) / value(rate) - 1) < 0.0004)

/** A standard nominal rate that differs from the average by rounding only. */
function agreedRate(average: Rational, nominal: Rational): Rational | undefined {
  return Math.abs(value(nominal) / value(average) - 1) < 0.002 ? standardNear(nominal) : undefined
}

/** The nearest standard rate by ratio, so that 44 becomes 48 rather than 30. */
export function nearestStandard(rate: number): Rational {
  const distance = (candidate: Rational): number => Math.abs(Math.log(value(candidate) / rate))
  return STANDARD.reduce((best, candidate) => (distance(candidate) < distance(best) ? candidate : best))
}

/** Even one lost frame in five hundred moves frames away from the sound. Nominal rates are often field rates. */
function disagree(average: Rational | null, nominal: Rational | null): boolean {
  if (average === null || nominal === null) return false
  const ratio = value(nominal) / value(average)
  return Math.abs(ratio - 1) > 0.002 && Math.abs(ratio - 2) > 0.004
}

/** A standard nominal rate near the average was meant (a phone that drops frames); otherwise the rate nearest to the average. */
function conformRate(mean: Rational, nominal: Rational | null): Rational {
  const meant = nominal !== null && Math.abs(value(nominal) / value(mean) - 1) < 0.02
  return nearestStandard(value(meant ? nominal : mean))
}

/** Not constant: more than 1 % of the steps differ by more than the rounding of a timebase. */
function isUneven(samples: readonly (readonly number[])[]): boolean {
  const steps = samples.flatMap(listSteps)
  const middle = median(steps)
  if (middle === null) return false
  const tolerance = Math.max(0.0015, middle * 0.1)
  return steps.filter((step) => Math.abs(step - middle) > tolerance).length > steps.length * 0.01
}

function measuredRate(samples: readonly (readonly number[])[]): Rational | null {
  const steps = samples.flatMap(listSteps)
  const middle = median(steps)
  if (middle === null) return null
  // The mean, because a millisecond clock has steps of 33 and 34. Pauses are excluded.
  const close = steps.filter((step) => step < middle * 4)
  return nearestStandard(close.length / close.reduce((sum, step) => sum + step, 0))
}

function listSteps(times: readonly number[]): number[] {
  return times
    .slice(1)
    .map((time, index) => time - (times[index] ?? 0))
    .filter((step) => step > 0)
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

const value = (rate: Rational): number => rate.numerator / rate.denominator

function reduce({ numerator, denominator }: Rational): Rational {
  let a = numerator
  let b = denominator
  while (b > 0) {
    const rest = a % b
    a = b
    b = rest
  }
  return { numerator: numerator / a, denominator: denominator / a }
}
