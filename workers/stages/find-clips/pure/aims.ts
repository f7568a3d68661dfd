/**
 * PURE. How near a run of sentences comes to what was requested. Half by the mean of their vectors, because a single sentence
 * is often about something else; half by the sentences that come nearest, because a story is seldom about its theme in all.
 */
export interface Aim {
  /** Below 0 for what is to be avoided. */
  readonly weight: number
  /** Of length 1. */
  readonly vector: Float32Array
}

/** Words of a sentence that count at most. */
const MOST_WORDS = 25
const NEAREST = 3

/**
 * Returns the function that gives how near the sentences `from` to `to` come to the aims, by their weights, -1 to 1.
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
  const cosines = aims.map((aim) => vectors.map((vector) => multiply(vector, aim.vector)))
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
    return aims.reduce((sum, { weight }, index) => {
      const nearest = meanOfNearest(cosines[index] ?? [], from, to)
      return sum + (weight * ((dots[index] ?? 0) / length + nearest)) / 2 / total
    }, 0)
  }
}

const multiply = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

function meanOfNearest(cosines: readonly number[], from: number, to: number): number {
  const best = cosines
    .slice(from, to + 1)
    .sort((a, b) => b - a)
    .slice(0, NEAREST)
  return best.reduce((sum, value) => sum + value, 0) / Math.max(1, best.length)
}
