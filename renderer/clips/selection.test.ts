import { expect, it } from 'vitest'
import { all, among, extend, NOTHING, placeAfter, toggle } from './selection.ts'

const SHOWN = ['a', 'b', 'c', 'd', 'e']
const idsOf = ({ ids }: { ids: ReadonlySet<string> }): string => [...ids].sort().join('')

it('selects one by one, and a range from the last of these', () => {
  const one = toggle(NOTHING, 'b')
  expect(idsOf(extend(one, 'd', SHOWN))).toBe('bcd')
  expect(idsOf(extend(extend(one, 'd', SHOWN), 'a', SHOWN))).toBe('abcd')
  expect(idsOf(toggle(toggle(one, 'd'), 'b'))).toBe('d')
  expect(idsOf(extend(NOTHING, 'c', SHOWN))).toBe('c')
})

it('forgets what is not shown any more', () => {
  const some = toggle(all(SHOWN), 'c')
  expect(idsOf(among(some, ['a', 'b', 'c']))).toBe('ab')
  expect(among(some, ['a', 'b']).anchor).toBeNull()
})

it('goes through a grid by arrows, and not beyond it', () => {
  const grid = { columns: 3, count: 8 }
  expect(['ArrowRight', 'ArrowDown', 'End', 'Home', 'x'].map((key) => placeAfter(key, 4, grid))).toEqual([
    5, 7, 7, 0, 4,
  ])
  expect(['ArrowLeft', 'ArrowUp'].map((key) => placeAfter(key, 0, grid))).toEqual([0, 0])
  expect(placeAfter('ArrowDown', 6, grid)).toBe(6)
})
