import { expect, it } from 'vitest'
import { addressOf, placeOf, withCompany } from './router.ts'

it.each([
  ['', { page: '', id: null }],
  ['#', { page: '', id: null }],
  ['#/', { page: '', id: null }],
  ['#/clips', { page: 'clips', id: null }],
  ['#/clips/a%2Fb', { page: 'clips', id: 'a/b' }],
  ['#/clips/', { page: 'clips', id: null }],
  ['#/clips/a/93.5', { page: 'clips', id: 'a', at: 93.5 }],
  ['#/clips/a/soon', { page: 'clips', id: 'a' }],
  ['#/@acme/clips/a/2', { company: 'acme', page: 'clips', id: 'a', at: 2 }],
  ['#/@acme', { company: 'acme', page: '', id: null }],
  ['#/%', { page: '', id: null }],
])('reads %s', (hash, place) => {
  expect(placeOf(hash)).toEqual(place)
})

it('writes what it reads', () => {
  for (const id of ['abc', 'a/b', 'ü ?#', null])
    expect(placeOf(addressOf('clips', id))).toEqual({ page: 'clips', id })
})

it('writes a second of a clip', () => {
  expect(addressOf('clips', 'a', 93.52)).toBe('#/clips/a/93.5')
})

it('names another company in an address', () => {
  expect(withCompany('#/clips/a/93.5', 'acme')).toBe('#/@acme/clips/a/93.5')
  expect(withCompany('#/@bolt/clips', 'acme')).toBe('#/@acme/clips')
  expect(withCompany('', 'acme')).toBe('#/@acme/')
  expect(withCompany('#/@bolt/clips/a', null)).toBe('#/clips/a')
})
