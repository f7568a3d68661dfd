import { expect, it } from 'vitest'
import { nameIn, speakersIn } from './speakers.ts'

const words = [{ speaker: 2 }, {}, { speaker: 0 }, { speaker: undefined }, { speaker: 2 }]

it('names those who speak by their rank, where each has a name', () => {
  expect(speakersIn(words, ['Ada', 'Bob'])).toEqual([
    { number: 0, name: 'Ada' },
    { number: 2, name: 'Bob' },
  ])
})

it('numbers them where the names are of others', () => {
  const numbered = [
    { number: 0, name: 'Speaker 1' },
    { number: 2, name: 'Speaker 3' },
  ]
  expect(speakersIn(words, ['Ada'])).toEqual(numbered)
  expect(speakersIn(words, ['Ada', 'Bob', 'Cy'])).toEqual(numbered)
  expect(speakersIn([], [])).toEqual([])
})

it('sorts by number, not as text', () =>
  expect(speakersIn([{ speaker: 10 }, { speaker: 9 }], []).map(({ number }) => number)).toEqual([9, 10]))

it('calls somebody who says nothing by number', () => {
  const speakers = speakersIn(words, ['Ada', 'Bob'])
  expect([nameIn(speakers, 2), nameIn(speakers, 1)]).toEqual(['Bob', 'Speaker 2'])
})
