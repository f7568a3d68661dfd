import { expect, it } from 'vitest'
import { addressOf, placeOf } from './router.ts'

it.each([
  ['', { page: '', id: null }],
  ['#', { page: '', id: null }],
  ['#/', { page: '', id: null }],
  ['#/clips', { page: 'clips', id: null }],
  ['#/clips/a%2Fb', { page: 'clips', id: 'a/b' }],
  ['#/clips/', { page: 'clips', id: null }],
  ['#/%', { page: '', id: null }],
])('reads %s', (hash, place) => {
  expect(placeOf(hash)).toEqual(place)
})

it('writes what it reads', () => {
  for (const id of ['abc', 'a/b', 'ü ?#', null])
    expect(placeOf(addressOf('clips', id))).toEqual({ page: 'clips', id })
})
