import { describe, expect, it } from 'vitest'
import { encodeLevels, type ClipSound } from '../../contract/clip-measurements.ts'
import { keptOf, type ClipCut } from '../../contract/time-map/cut.ts'
import {
  cursesOf,
  cutWordsOut,
  unwrittenFillersIn,
  fillersOf,
  shortenPauses,
  wordsBack,
  type SpokenClip,
} from './speech-cuts.ts'

type Word = SpokenClip['words'][number]

const word = (text: string, start: number, end: number, over: Partial<Word> = {}): Word => ({
  word: text,
  start,
  end,
  isDeleted: false,
  ...over,
})
const clip = (words: readonly Word[], over: Partial<SpokenClip> = {}): SpokenClip => ({
  words,
  language: 'en',
  sound: null,
  frameRate: { numerator: 100, denominator: 1 },
  ...over,
})
const WHOLE: ClipCut = { startTimestamp: 10, endTimestamp: 20, segments: [] }
const HALVES: ClipCut = {
  startTimestamp: 10,
  endTimestamp: 20,
  segments: [
    { startSeconds: 0, endSeconds: 4 },
    { startSeconds: 6, endSeconds: 10, playbackRate: 2 },
  ],
}
const show = (cut: ClipCut) =>
  keptOf(cut)
    .map(
      ({ start, end, rate }) =>
        `${Number(start.toFixed(3))}-${Number(end.toFixed(3))}${rate === 1 ? '' : `x${rate}`}`,
    )
    .join(' ')

it('fillers and curse words are those that the nodes find', () => {
  const words = ['um', 'damn', 'shit', 'frob'].map((text, at) => word(text, at, at + 0.5))
  expect(fillersOf({ words, language: 'en' })).toEqual(new Set([0]))
  expect(cursesOf({ words, language: 'en' })).toEqual(new Set([2]))
  expect(cursesOf({ words, language: 'en' }, { includeMild: true })).toEqual(new Set([1, 2]))
  expect(cursesOf({ words, language: 'en' }, { more: ['frob'] })).toEqual(new Set([2, 3]))
})

it('a change of speaker sets a filler off', () => {
  const words = ['and', 'like,', 'so'].map((text, at) => word(text, at * 0.5, at * 0.5 + 0.5))
  const spoken = words.map((one, at) => ({ ...one, speaker: at === 0 ? 0 : 1 }))
  expect(fillersOf({ words: spoken, language: 'en' })).toEqual(new Set([1]))
  expect(fillersOf({ words, language: 'en' })).toEqual(new Set())
})

describe('words that are cut out', () => {
  const words = [
    word('so', 11, 12),
    word('um', 12.5, 12.9),
    word('then', 13.2, 13.8),
    word('uh', 17, 17.4),
    word('end', 18, 19),
  ]
  const cutOut = (positions: number[], over: { cut?: ClipCut; words?: Word[]; must?: boolean } = {}) => {
    const { cut, dropped } = cutWordsOut(over.cut ?? WHOLE, new Set(positions), clip(over.words ?? words), {
      must: over.must === true,
    })
    return `${show(cut)} without ${[...dropped].join(',')}`
  }
  it.each([
    ['leave a breath', [1], {}, '10-12.25 13.1-20 without 1'],
    ['may be several', [1, 3], {}, '10-12.25 13.1-16.75 17.65-20 without 1,3'],
    ['keep the speed of what stays', [3], { cut: HALVES }, '10-14 16-16.75x2 17.65-20x2 without 3'],
    ['may be out already', [1], { cut: { ...WHOLE, startTimestamp: 12.8 } }, '12.8-20 without '],
    ['are none', [], {}, '10-20 without '],
    ['are none without a place', [9], {}, '10-20 without '],
    ['are never all', [0, 1, 2, 3, 4], {}, '10-20 without '],
    [
      'may come in any order',
      [0],
      { words: [words[1]!, words[0]!, words[2]!] },
      '10-12.25 13.1-20 without 0',
    ],
    [
      'are not kept by what is empty',
      [1],
      { words: [words[0]!, words[1]!, word(' ', 12.5, 12.9)] },
      '10-12.25 13.15-20 without 1',
    ],
    [
      'stay for a word that starts with them and ends later',
      [0],
      { words: [word('um', 12, 12.6), word('so', 12, 13), word('we', 14, 15)] },
      '10-20 without ',
    ],
  ] as [string, number[], Parameters<typeof cutOut>[1], unknown][])('%s', (_, positions, over, expected) =>
    expect(cutOut(positions, over)).toBe(expected),
  )

  it('go at any price where they must', () => {
    const tight = [
      word('a', 10, 12),
      word('um', 12, 12.3),
      word('so', 12.3, 12.5),
      word('uh', 12.5, 13),
      word('b', 13, 19),
    ]
    expect(cutOut([1, 3], { words: tight })).toBe('10-12.5 13-20 without 3')
    expect(cutOut([1, 3], { words: tight, must: true })).toBe('10-12 12.3-12.5 13-20 without 1,3')
  })

  it('leave the cut as it is where none goes', () => {
    expect(cutWordsOut(WHOLE, new Set(), clip(words)).cut).toBe(WHOLE)
    const sounds = [{ start: 15, end: 15.4 }]
    const made = cutWordsOut(WHOLE, new Set(), clip(words), { sounds })
    expect([made.sounds, made.dropped.size, show(made.cut)]).toEqual([1, 0, '10-14.75 15.65-20'])
    const fillers = [true, false].map((sure, at) => ({ start: 15 + at, end: 15.4 + at, sure }))
    expect(unwrittenFillersIn({ fillers }, () => true)).toEqual({ sure: [fillers[0]], likely: [fillers[1]] })
    expect(unwrittenFillersIn({ fillers }, (seconds) => seconds > 16)).toMatchObject({ sure: [] })
    expect(unwrittenFillersIn(null, () => true)).toEqual({ sure: [], likely: [] })
    expect(cutWordsOut(HALVES, new Set([9]), clip(words)).cut).toBe(HALVES)
  })
})

describe('pauses that are shortened', () => {
  const words = [word('one', 10, 11), word('two.', 12, 13), word('three', 14, 15), word('four', 15.5, 20)]
  const shorten = (
    over: number,
    more: { cut?: ClipCut; words?: Word[]; clip?: Partial<SpokenClip> } = {},
  ) => {
    const { cut, shortened, seconds } = shortenPauses(
      more.cut ?? WHOLE,
      over,
      clip(more.words ?? words, more.clip),
    )
    return `${show(cut)} less ${shortened} pauses of ${seconds.toFixed(3)} s`
  }
  it.each([
    ['leave 0.3 s, and 0.4 s after a sentence', 0.6, '10-11.15 11.85-13.2 13.8-20 less 2 pauses of 1.300 s'],
    ['leave no more than was asked for', 0.2, '10-11.1 11.9-13.1 13.9-15.1 15.4-20 less 3 pauses of 1.900 s'],
    ['are those longer than what is asked for', 1, '10-20 less 0 pauses of 0.000 s'],
    ['are all that are longer', 0.999, '10-11.15 11.85-13.2 13.8-20 less 2 pauses of 1.300 s'],
    ['may be half a second', 0.49, '10-11.15 11.85-13.2 13.8-15.15 15.35-20 less 3 pauses of 1.500 s'],
  ])('%s', (_, over, expected) => expect(shorten(over)).toBe(expected))

  it.each([
    ['are not between stretches', { cut: HALVES }, '10-11.15 11.85-14 16-20x2 less 1 pauses of 0.700 s'],
    [
      'may come between words in any order',
      { words: words.toReversed() },
      '10-11.15 11.85-13.2 13.8-20 less 2 pauses of 1.300 s',
    ],
    [
      'end with the longest of words that overlap',
      { words: [word('a', 10, 13), word('b', 10.5, 11), word('c', 14, 20)] },
      '10-13.15 13.85-20 less 1 pauses of 0.700 s',
    ],
    ['are none of one word', { words: [word('a', 13, 14)] }, '10-20 less 0 pauses of 0.000 s'],
    ['are none without words', { words: [] }, '10-20 less 0 pauses of 0.000 s'],
    [
      'are not cut by less than a frame',
      {
        words: [word('a', 10, 11), word('b', 11.605, 20)],
        clip: { frameRate: { numerator: 2, denominator: 1 } },
      },
      '10-20 less 0 pauses of 0.000 s',
    ],
    [
      'are cut by a frame',
      {
        words: [word('a', 10, 10.85), word('b', 11.65, 20)],
        clip: { frameRate: { numerator: 2, denominator: 1 } },
      },
      '10-11 11.5-20 less 1 pauses of 0.500 s',
    ],
  ] as [string, Parameters<typeof shorten>[1], unknown][])('%s', (_, more, expected) =>
    expect(shorten(0.6, more)).toBe(expected),
  )

  it('are the quiet ones where levels were measured', () => {
    const levels = Array.from({ length: 500 }, (_, hop) => (hop >= 75 && hop < 77 ? -20 : -70))
    const sound: ClipSound = {
      start: 10,
      hopSeconds: 0.02,
      levels: encodeLevels(levels),
      speechLevelDb: -20,
      noiseLevelDb: -70,
    }
    expect(shorten(0.6, { clip: { sound } })).toBe('10-13.2 13.8-20 less 1 pauses of 0.600 s')
  })
})

describe('words that come back', () => {
  const words = [
    { start: 10, end: 11 },
    { start: 12, end: 13 },
    { start: 15, end: 16 },
    { start: 19, end: 20 },
  ]
  const cut = (start: number, end: number, gap?: [number, number]): ClipCut => ({
    startTimestamp: start,
    endTimestamp: end,
    segments:
      gap === undefined
        ? []
        : [
            { startSeconds: 0, endSeconds: gap[0] - start },
            { startSeconds: gap[1] - start, endSeconds: end - start },
          ],
  })
  it.each([
    ['with half of the pauses around them', cut(10, 20, [11.2, 17.8]), 1, 2, '10-11.2 11.5-17.5 17.8-20'],
    ['with 0.1 s before the first of the clip', cut(14.9, 20), 1, 1, '11.9-14 14.9-20'],
    ['with 0.1 s after the last of the clip', cut(10, 13.2), 2, 2, '10-13.2 14-16.1'],
    ['with nothing that is there already', cut(10, 13.2), 1, 1, '10-13.2'],
    ['with all up to a start within their pause', cut(11.8, 20), 1, 1, '11.8-20'],
    ['with all up to an end within their pause', cut(10, 13.5), 1, 1, '10-13.5'],
    ['at the very start', cut(12, 20), 0, 0, '10-11.5 12-20'],
    ['at the very end', cut(10, 16), 3, 3, '10-16 17.5-20'],
  ])('%s', (_, before, first, last, expected) =>
    expect(show(wordsBack(before, words, { first, last }))).toBe(expected),
  )
})
