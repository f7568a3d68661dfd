import { expect, it } from 'vitest'
import { fuseRanks } from './fuse.ts'

it('puts what two lists have before what one list has first', () => {
  const fused = fuseRanks([
    ['a', 'b', 'c'],
    ['d', 'b'],
  ])
  expect(fused.map(({ key }) => key)).toEqual(['b', 'a', 'd', 'c'])
  expect(fused[1]).toEqual({ key: 'a', score: 1 })
})

it('counts a thing once in each list, where it is first, and keeps the order of one list', () => {
  expect(fuseRanks([['a', 'a', 'b']])).toEqual([
    { key: 'a', score: 1 },
    { key: 'b', score: 0.9839 },
  ])
  expect(fuseRanks([[], []])).toEqual([])
})
