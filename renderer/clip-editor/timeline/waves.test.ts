import { expect, it } from 'vitest'
import { columnsOf } from './waves.svelte.ts'

const PEAKS = {
  perSecond: 100,
  start: 5,
  pairs: Int8Array.from({ length: 400 }, (_, at) => (at < 200 ? 0 : 127)),
}

it('draws the loudest of what each column covers', () => {
  expect(columnsOf(PEAKS, 5, 7, 4)).toEqual([0, 0, 1, 1])
  expect(columnsOf(PEAKS, 6, 7, 2)).toEqual([1, 1])
})

it('is silent outside of what was loaded', () => {
  expect(columnsOf(PEAKS, 8, 9, 2)).toEqual([0, 0])
})
