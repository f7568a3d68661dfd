import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../test/support/small-pictures.ts'
import { minCut, type GridLinks } from './min-cut.ts'

interface Grid {
  readonly width: number
  readonly height: number
  readonly preference: Int32Array
  readonly links: GridLinks
}

/** Each pair of neighbours with what parting them costs. */
function listLinks({ width, height, links }: Grid): { from: number; to: number; cost: number }[] {
  const ways = [
    [1, 0, links.right],
    [-1, 1, links.downLeft],
    [0, 1, links.down],
    [1, 1, links.downRight],
  ] as const
  return Array.from({ length: width * height }, (_, from) => from).flatMap((from) =>
    ways.flatMap(([right, down, costs]) => {
      const x = (from % width) + right
      const y = Math.floor(from / width) + down
      return x < 0 || x >= width || y >= height ? [] : { from, to: y * width + x, cost: costs[from]! }
    }),
  )
}

/**
 * The smallest set of pixels that a minimum cut leaves with the foreground: those that are reached from the source when no
 * more can flow (Ford and Fulkerson). There is exactly one such set, however the maximum flow was found.
 */
function cutSimply(grid: Grid): number[] {
  const count = grid.preference.length
  const source = count
  const sink = count + 1
  const open = Array.from({ length: count + 2 }, () => new Float64Array(count + 2))
  for (const { from, to, cost } of listLinks(grid)) {
    open[from]![to]! += cost
    open[to]![from]! += cost
  }
  grid.preference.forEach((own, at) => {
    if (own > 0) open[source]![at] = own
    else open[at]![sink] = -own
  })
  for (;;) {
    const before = new Map([[source, source]])
    for (const node of before.keys())
      open[node]!.forEach((left, next) => {
        if (left > 0 && !before.has(next)) before.set(next, node)
      })
    if (!before.has(sink)) return Array.from({ length: count }, (_, at) => (before.has(at) ? 1 : 0))
    const way = [sink]
    while (way[0] !== source) way.unshift(before.get(way[0]!)!)
    const steps = way.slice(1).map((to, index) => ({ from: way[index]!, to }))
    const most = Math.min(...steps.map(({ from, to }) => open[from]![to]!))
    for (const { from, to } of steps) {
      open[from]![to]! -= most
      open[to]![from]! += most
    }
  }
}

const cut = ({ width, height, preference, links }: Grid): number[] => [
  ...minCut(width, height, preference, links),
]

interface Kind {
  readonly width: number
  readonly height: number
  readonly wish: number
  readonly cost: number
  /** Share of pixels without a preference, and of links that cost nothing. */
  readonly none: number
}

function drawGrid(random: () => number, { width, height, wish, cost, none }: Kind): Grid {
  const across = 1 + Math.floor(random() * width)
  const down = 1 + Math.floor(random() * height)
  const list = (value: () => number): Int32Array =>
    Int32Array.from({ length: across * down }, () => (random() < none ? 0 : value()))
  const costs = (): Int32Array => list(() => Math.floor(random() * (cost + 1)))
  return {
    width: across,
    height: down,
    preference: list(() => Math.round((random() * 2 - 1) * wish)),
    links: { right: costs(), downLeft: costs(), down: costs(), downRight: costs() },
  }
}

describe('a grid is parted as by a simple maximum flow', () => {
  it.each<[string, Kind, number]>([
    ['small', { width: 4, height: 3, wish: 15, cost: 12, none: 0 }, 40],
    ['with weak links', { width: 7, height: 6, wish: 30, cost: 9, none: 0.1 }, 12],
    ['with few preferences', { width: 7, height: 6, wish: 40, cost: 9, none: 0.6 }, 30],
    ['with one to lose or to win', { width: 7, height: 6, wish: 3, cost: 1, none: 0.3 }, 25],
    ['with large numbers', { width: 6, height: 5, wish: 1e6, cost: 4e5, none: 0.3 }, 12],
    ['one row', { width: 14, height: 1, wish: 20, cost: 25, none: 0.2 }, 40],
    ['one column', { width: 1, height: 14, wish: 20, cost: 25, none: 0.2 }, 40],
  ])('%s', (name, kind, runs) => {
    const random = randomNumbers(name.length)
    for (let run = 0; run < runs; run++) {
      const grid = drawGrid(random, kind)
      expect(cut(grid), JSON.stringify(grid)).toEqual(cutSimply(grid))
    }
  })
})

/** One row of pixels. */
const row = (preference: readonly number[], right: readonly number[]): Grid => {
  const none = new Int32Array(preference.length)
  return {
    width: preference.length,
    height: 1,
    preference: Int32Array.from(preference),
    links: { right: Int32Array.from([...right, 0]), downLeft: none, down: none, downRight: none },
  }
}

it('lets neighbours carry a pixel along that prefers nothing, and one that prefers little', () => {
  expect(cut(row([9, 0, -2, 0, -9], [5, 5, 1, 5]))).toEqual([1, 1, 1, 0, 0])
})

it('gives a pixel that could belong to either side to the background', () => {
  expect(cut(row([3, 0, -3], [3, 3]))).toEqual([0, 0, 0])
  expect(cut(row([4, 0, -3], [3, 3]))).toEqual([1, 0, 0])
  expect(cut(row([0, 0], [1]))).toEqual([0, 0])
})

it('parts a picture whose pixels are not linked by their own preferences', () => {
  expect(cut(row([1, -1, 0, 7, -7], [0, 0, 0, 0]))).toEqual([1, 0, 0, 1, 0])
})

it('links the last pixel of a row with none of the next', () => {
  const links = { right: 9, downLeft: 9, down: 0, downRight: 9 }
  const fill = (value: number): Int32Array => new Int32Array(6).fill(value)
  const grid: Grid = {
    width: 1,
    height: 6,
    preference: Int32Array.of(5, -1, 5, -1, -1, 5),
    links: {
      right: fill(links.right),
      downLeft: fill(links.downLeft),
      down: fill(links.down),
      downRight: fill(links.downRight),
    },
  }
  expect(cut(grid)).toEqual([1, 0, 1, 0, 0, 1])
})

it('is left with what a narrow place lets through', () => {
  // Two long arms hang on one root each; the narrow link in the middle of the arm is used up first.
  expect(cut(row([20, 0, 0, 0, 0, -20], [9, 4, 9, 9, 9]))).toEqual([1, 1, 0, 0, 0, 0])
  expect(cut(row([20, 0, 0, 0, 0, -20], [9, 9, 9, 4, 9]))).toEqual([1, 1, 1, 1, 0, 0])
  expect(cut(row([4, 0, 0, 0, 0, -20], [9, 9, 9, 9, 9]))).toEqual([0, 0, 0, 0, 0, 0])
  expect(cut(row([20, 0, 0, 0, 0, -4], [9, 9, 9, 9, 9]))).toEqual([1, 1, 1, 1, 1, 1])
})
