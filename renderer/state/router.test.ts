import { expect, it } from 'vitest'
import { addressOf, placeOf } from './router.svelte.ts'

it.each([
  ['', { room: '', id: null }],
  ['#', { room: '', id: null }],
  ['#/', { room: '', id: null }],
  ['#/clips', { room: 'clips', id: null }],
  ['#/clips/a%2Fb', { room: 'clips', id: 'a/b' }],
  ['#/clips/', { room: 'clips', id: null }],
  ['#/%', { room: '', id: null }],
])('reads %s', (hash, place) => {
  expect(placeOf(hash)).toEqual(place)
})

it('writes what it reads', () => {
  for (const id of ['abc', 'a/b', 'ü ?#', null])
    expect(placeOf(addressOf('clips', id))).toEqual({ room: 'clips', id })
})
