/**
 * PURE. How near a run of sentences comes to what was requested, by the mean of their vectors: a story is seldom about its
 * theme in every sentence, and a single sentence is often about something else.
 */
export interface Aim {
  /** Below 0 for what is to be avoided. */
  readonly weight: number
  /** Of length 1. */
  readonly vector: Float32Array
}

/** Words of a sentence that count at most. */
const MOST_WORDS = 25

/**
 * Returns the function that gives the mean cosine of the sentences `from` to `to` with the aims, by their weights, -1 to 1.
 * `words` and `vectors`: one a sentence.
 */
export function createAimMeter(
  words: readonly number[],
  vectors: readonly Float32Array[],
  aims: readonly Aim[],
): (from: number, to: number) => number {
  const size = vectors[0]?.length ?? 0
  const sums = [new Float64Array(size)]
  vectors.forEach((vector, index) => {
    const weight = Math.min(MOST_WORDS, words[index] ?? 0)
    const before = sums[index] ?? new Float64Array(size)
    sums.push(before.map((value, place) => value + weight * (vector[place] ?? 0)))
  })
  const total = aims.reduce((sum, { weight }) => sum + Math.abs(weight), 0)
  return (from, to) => {
    const first = sums[from]
    const last = sums[to + 1]
    if (first === undefined || last === undefined || total === 0) return 0
    const dots = new Float64Array(aims.length)
    let square = 0
    for (let place = 0; place < size; place += 1) {
      const value = (last[place] ?? 0) - (first[place] ?? 0)
      square += value * value
      for (const [index, { vector }] of aims.entries())
        dots[index] = (dots[index] ?? 0) + value * (vector[place] ?? 0)
    }
    const length = Math.sqrt(Math.max(1e-12, square))
    return aims.reduce((sum, { weight }, index) => sum + (weight * (dots[index] ?? 0)) / length, 0) / total
  }
}
