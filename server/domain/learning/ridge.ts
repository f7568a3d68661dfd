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
