/** The value below which this share of the values is (0.5: the median); NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** NaN of none. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`
export const seconds = (value: number): string => `${value.toFixed(3)} s`
