import { expect, it } from 'vitest'
import { keepSpokenTimes } from './keep-spoken-times.ts'

const words = (...list: readonly (readonly [string, number, number])[]) =>
  list.map(([word, start, end]) => ({ word, start, end }))

it('takes the times of words that are found again, and keeps the others between them', () => {
  const spoken = words(['we', 1, 1.2], ['counted', 1.2, 1.8], ['at', 1.8, 1.9], ['once', 2, 2.4])
  const given = words(['We', 0.5, 1], ['counted', 1, 1.5], ['it', 1.5, 2], ['once,', 2, 3], ['twice', 3, 3.5])
  expect(keepSpokenTimes(given, spoken)).toEqual(
    words(['We', 1, 1.2], ['counted', 1.2, 1.8], ['it', 1.8, 2], ['once,', 2, 2.4], ['twice', 3, 3.5]),
  )
})

it('never moves a word before the one in front of it, and takes no word that is far away', () => {
  const given = words(['yes', 1, 1.5], ['no', 1.5, 2])
  expect(keepSpokenTimes(given, words(['yes', 40, 40.5]))).toEqual(given)
})

it('gives speakers and confidence of what was heard, and names of the file before them', () => {
  const spoken = [{ word: 'hello', start: 1, end: 1.4, speaker: 2, confidence: 0.9 }]
  const [first] = keepSpokenTimes([{ word: 'Hello', start: 0.9, end: 1.5, speaker: 0 }], spoken)
  expect(first).toEqual({ word: 'Hello', start: 1, end: 1.4, speaker: 0, confidence: 0.9 })
})
