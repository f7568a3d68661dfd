import { expect, it } from 'vitest'
import { editDistance } from './speech/spoken-text.ts'

it.each([
  ['', '', 0],
  ['', 'clip', 4],
  ['caption', 'caption', 0],
  ['caption', 'captions', 1],
  ['volume', 'volme', 1],
  ['colour', 'color', 1],
  ['abcd', 'abdc', 2],
  ['kitten', 'sitting', 3],
  ['abc', 'xyz', 3],
])('between %j and %j lie %i changes, either way', (a, b, changes) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([changes, changes])
})
