import fc from 'fast-check'
import { expect, it } from 'vitest'
import { minCut, type GridLinks } from './min-cut.ts'

interface Grid {
  readonly width: number
  readonly height: number
  readonly preference: Int32Array
  readonly links: GridLinks
}

const grids = fc
  .record({ width: fc.integer({ min: 1, max: 4 }), height: fc.integer({ min: 1, max: 3 }) })
  .chain(({ width, height }) => {
    const count = width * height
    const costs = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: count, maxLength: count })
    const link = costs.map((values) => Int32Array.from(values))
    return fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      preference: fc
        .array(fc.integer({ min: -15, max: 15 }), { minLength: count, maxLength: count })
        .map((values) => Int32Array.from(values)),
      links: fc.record({ right: link, downLeft: link, down: link, downRight: link }),
    })
  })

/** What a parting costs: wishes that are not met, and links that are cut. */
function costOf({ width, height, preference, links }: Grid, front: ArrayLike<number>): number {
  let cost = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const own = preference[at] ?? 0
      if (front[at] === 1 ? own < 0 : own > 0) cost += Math.abs(own)
      const cut = (is: boolean, to: number, link: Int32Array): number =>
        is && front[at] !== front[to] ? (link[at] ?? 0) : 0
      cost += cut(x + 1 < width, at + 1, links.right)
      cost += cut(y + 1 < height, at + width, links.down)
      cost += cut(y + 1 < height && x > 0, at + width - 1, links.downLeft)
      cost += cut(y + 1 < height && x + 1 < width, at + width + 1, links.downRight)
    }
  return cost
}

it('parts a grid as cheaply as any parting of it', () => {
  fc.assert(
    fc.property(grids, (grid) => {
      const { width, height, preference, links } = grid
      const count = width * height
      let least = Infinity
      for (let parting = 0; parting < 2 ** count; parting++)
        least = Math.min(
          least,
          costOf(
            grid,
            Array.from({ length: count }, (_, at) => (parting >> at) & 1),
          ),
        )
      expect(costOf(grid, minCut(width, height, preference, links))).toBe(least)
    }),
    { numRuns: 60 },
  )
})

it('lets neighbours carry a pixel along that wishes nothing, and one that wishes little', () => {
  const none = new Int32Array(5)
  const right = Int32Array.of(5, 5, 1, 5, 0)
  const links = { right, downLeft: none, down: none, downRight: none }
  expect([...minCut(5, 1, Int32Array.of(9, 0, -2, 0, -9), links)]).toEqual([1, 1, 1, 0, 0])
})
