import { expect, it } from 'vitest'
import { PLAIN_SETTINGS } from '../../../../test/support/topics.ts'
import { createCover, createTellingMeter } from './request-cover.ts'
import { steeringOf } from './steering.ts'
import { stem, termWeights } from './text-tools.ts'

/** Eighty sentences; `una` in each, the lighthouse in the tenth, its garden in the eleventh. */
const stems = Array.from({ length: 80 }, (_, at) => [
  'una',
  ...(at === 10 ? [stem('lighthouse')] : []),
  ...(at === 11 ? [stem('garden')] : []),
])
const idf = termWeights(stems)
const coverOf = (prompt: string) => createCover(stems, steeringOf({ ...PLAIN_SETTINGS, prompt }), idf)

it('is the share of the requested words that are said', () => {
  const cover = coverOf('the lighthouse and its garden')
  expect([cover.share(10, 10), cover.share(10, 11), cover.share(12, 40)]).toEqual([0.5, 1, 0])
  expect([cover.words(9, 11), cover.words(12, 40)]).toEqual([['lighthouse', 'garden'], []])
})

it('counts a word that the talk never says as missing, and close words as half', () => {
  expect(coverOf('lighthouse and submarine').share(10, 11)).toBe(0.5)
  expect(coverOf('forest').share(11, 11)).toBe(0.5)
  expect(coverOf('forest').words(11, 11)).toEqual(['forest'])
})

it('leaves out words that occur everywhere, in any language, and all words that are refused', () => {
  expect(coverOf('una lighthouse').share(10, 10)).toBe(1)
  expect(coverOf('una').share(10, 10)).toBe(0)
  expect(coverOf('no lighthouse').share(10, 10)).toBe(0)
  expect(createTellingMeter(idf)('una')).toBe(0)
  expect(createTellingMeter(idf)(stem('garden'))).toBe(1)
})

it('counts every word of a talk that is too short to have common ones', () => {
  const short = [['una', stem('lighthouse')], ['una']]
  const cover = createCover(
    short,
    steeringOf({ ...PLAIN_SETTINGS, prompt: 'una lighthouse' }),
    termWeights(short),
  )
  expect([cover.share(0, 0), cover.share(1, 1)]).toEqual([1, 0.5])
})
