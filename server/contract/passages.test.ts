import fc from 'fast-check'
import { expect, it } from 'vitest'
import { comparePacked, packVectors } from './passages.ts'

const cosines = (packed: Uint8Array, query: Float32Array): number[] => {
  const found: number[] = []
  comparePacked(packed, query, (place, cosine) => (found[place] = cosine))
  return found
}

const unit = (values: readonly number[]): Float32Array => {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, (value) => value / length)
}

it('stores a vector in a byte for each number and four for its scale', () => {
  const packed = packVectors([unit([3, 4]), unit([-1, 0])])
  expect(packed.length).toBe(2 * (4 + 2))
  expect(cosines(packed, unit([3, 4])).map((value) => value.toFixed(2))).toEqual(['1.00', '-0.60'])
})

it('compares with an error below 0.005, whatever the vectors, of even and of odd length', () => {
  const random = fc.sample(fc.integer({ min: -1000, max: 1000 }), { numRuns: 7 * 385, seed: 3 })
  for (const size of [384, 385]) {
    const vectors = Array.from({ length: 7 }, (_, at) => unit(random.slice(at * size, (at + 1) * size)))
    const query = vectors[0] ?? unit([1])
    const found = cosines(packVectors(vectors), query)
    for (const [place, vector] of vectors.entries()) {
      const exact = vector.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0)
      expect(Math.abs((found[place] ?? 9) - exact)).toBeLessThan(0.005)
    }
  }
})

it('gives a vector of zeros the cosine 0, and reads nothing of no vectors', () => {
  expect(cosines(packVectors([new Float32Array(4)]), unit([1, 0, 0, 0]))).toEqual([0])
  expect(cosines(packVectors([]), unit([1, 0]))).toEqual([])
})
