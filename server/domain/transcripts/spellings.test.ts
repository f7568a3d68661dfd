import { expect, it } from 'vitest'
import { respelt, withSpellings } from './spellings.ts'

const words = (text: string) => text.split(' ').map((word) => ({ word }))

it('remembers what was corrected, unless it is spelt so somewhere else', () => {
  expect(withSpellings([], words('the Tesler, said'), words('the Tesla, said'))).toEqual([
    { from: 'Tesler', to: 'Tesla' },
  ])
  expect(withSpellings([], words('a b a'), words('a b c'))).toEqual([])
  expect(withSpellings([{ from: 'b', to: 'c' }], words('a c'), words('a b'))).toEqual([])
  expect(withSpellings([], words('a b'), words('a'))).toEqual([])
})

it.each([
  ['The tesler is here, Teslers are not.', 'tesler', 'tesla', 'The tesla is here, Teslers are not.'],
  ['Tesler first', 'tesler', 'tesla', 'Tesla first'],
  ['没有人会把说明书读两遍', '说明书', '手册', '没有人会把手册读两遍'],
  ['cafe\u0301 con leche', 'café', 'té', 'té con leche'],
  ['no $1 here', '$1', 'x', 'no x here'],
])('%s', (text, from, to, result) => expect(respelt(text, [{ from, to }])).toBe(result))
