import { expect, it } from 'vitest'
import { withNeighbours } from './find-passages.ts'

it('counts a third of what is next to a passage, and its own again at the ends', () => {
  const near = withNeighbours([0.1, 0.5, 0.3]).map((value) => value.toFixed(3))
  // (0.1 + 0.35 * (0.1 + 0.5)) / 1.7, and so on.
  expect(near).toEqual(['0.182', '0.376', '0.341'])
  expect(withNeighbours([0.4]).map((value) => value.toFixed(3))).toEqual(['0.400'])
  expect(withNeighbours([])).toEqual([])
})
