/** PURE. Small calculations that the scores share. */

export const roundMs = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Limits a score to 0 to 100. */
export const clampScore = (value: number): number => Math.min(100, Math.max(0, value))

/** The upper median of the known values; 0 if there are none. */
export function medianOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  return known[known.length >> 1] ?? 0
}

/** A linear model's answer: what was learned, over these inputs in its order. */
export const weigh = (
  { bias, weights }: { readonly bias: number; readonly weights: readonly number[] },
  inputs: readonly number[],
): number => inputs.reduce((sum, value, place) => sum + value * (weights[place] ?? 0), bias)

/** One longer than the values; a sum over a range is then one subtraction. */
export function prefixSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1)
  values.forEach((value, index) => (sums[index + 1] = (sums[index] ?? 0) + value))
  return sums
}

/** The sum of the values `from` to `to`, both inclusive, by their prefix sums. */
export const sumBetween = (sums: Float64Array, from: number, to: number): number =>
  (sums[to + 1] ?? 0) - (sums[from] ?? 0)
