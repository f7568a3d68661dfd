import { describe, expect, it } from 'vitest'
import * as cuts from './cut.ts'
import {
  cutOf,
  isKept,
  keptOf,
  pieceAt,
  playedLength,
  playedAt,
  type ClipCut,
} from '../../contract/time-map/cut.ts'

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000

/** `10-20 25-30x2`: stretches of the source and their speed. */
const show = (cut: ClipCut) =>
  keptOf(cut)
    .map(({ start, end, rate }) => `${rounded(start)}-${rounded(end)}${rate === 1 ? '' : `x${rate}`}`)
    .join(' ')
const cut = (...kept: [start: number, end: number, rate?: number][]): ClipCut =>
  cutOf(kept.map(([start, end, rate = 1]) => ({ start, end, rate })))!
const one = cut([10, 40])
const two = cut([10, 20], [25, 40, 2])
const fromZero = cut([0, 40])
const bounds = { start: 5, end: 60 }

describe('a cut as it is stored', () => {
  it.each([
    [
      'one stretch has no segments',
      [{ start: 10, end: 40, rate: 1 }],
      { startTimestamp: 10, endTimestamp: 40, segments: [] },
    ],
    [
      'one fast stretch has one',
      [{ start: 10, end: 40, rate: 2 }],
      {
        startTimestamp: 10,
        endTimestamp: 40,
        segments: [{ startSeconds: 0, endSeconds: 30, playbackRate: 2 }],
      },
    ],
    [
      'times are rounded to milliseconds',
      [
        { start: 1.00049, end: 2.0005, rate: 1 },
        { start: 3, end: 4.12345, rate: 1 },
      ],
      {
        startTimestamp: 1,
        endTimestamp: 4.123,
        segments: [
          { startSeconds: 0, endSeconds: 1.001 },
          { startSeconds: 2, endSeconds: 3.123 },
        ],
      },
    ],
    ['none is none', [], null],
  ])('%s', (_, kept, expected) => expect(cutOf(kept)).toEqual(expected))

  it('ends where the clip ends', () => {
    const segments = [{ startSeconds: 2, endSeconds: 50, playbackRate: undefined }]
    expect(keptOf({ startTimestamp: 10, endTimestamp: 40, segments })).toEqual([
      { start: 12, end: 40, rate: 1 },
    ])
  })
})

describe('taking out', () => {
  it.each([
    ['from the middle', one, 20, 25, '10-20 25-40'],
    ['from the start', one, 5, 12, '12-40'],
    ['up to the end', one, 35, 40, '10-35'],
    ['over two stretches', two, 15, 30, '10-15 30-40x2'],
    ['a whole stretch', two, 20, 40, '10-20'],
    ['what is out already', two, 20, 25, '10-20 25-40x2'],
    ['leaves 0.1 s', fromZero, 0.1, 20, '0-0.1 20-40'],
    ['leaves no 0.05 s', one, 10.05, 20, '20-40'],
    ['never everything', one, 0, 99, '10-40'],
  ])('%s', (_, before, from, to, expected) => expect(show(cuts.remove(before, from, to))).toBe(expected))

  it.each([
    ['the first piece', [0], '25-40x2'],
    ['the second', [1], '10-20'],
    ['none', [], '10-20 25-40x2'],
    ['one that is not there', [2], '10-20 25-40x2'],
    ['never all', [0, 1], '10-20 25-40x2'],
  ])('%s', (_, indexes, expected) => expect(show(cuts.removePieces(two, indexes))).toBe(expected))
})

describe('putting back', () => {
  it.each([
    ['the gap', 20, 25, '10-40'],
    ['a part of the gap', 22, 24, '10-20 22-24 25-40x2'],
    ['what begins at a stretch', 20, 22, '10-22 25-40x2'],
    ['what ends at one', 22, 25, '10-20 22-40x2'],
    ['before the clip', 5, 10, '5-20 25-40x2'],
    ['after it', 40, 45, '10-20 25-45x2'],
    ['over everything', 0, 50, '0-50'],
    ['what is there', 12, 15, '10-20 25-40x2'],
  ])('%s', (_, from, to, expected) => expect(show(cuts.restore(two, from, to))).toBe(expected))
})

describe('splitting and joining', () => {
  it.each([
    ['a stretch', 30, '10-20 25-30x2 30-40x2'],
    ['an eighth of a second after its start', 25.125, '10-20 25-25.125x2 25.125-40x2'],
    ['not sooner', 25.0625, '10-20 25-40x2'],
    ['an eighth of a second before its end', 39.875, '10-20 25-39.875x2 39.875-40x2'],
    ['not later', 39.9375, '10-20 25-40x2'],
    ['not in a gap', 22, '10-20 25-40x2'],
  ])('%s', (_, at, expected) => expect(show(cuts.split(two, at))).toBe(expected))

  it.each([
    ['what touches', cut([10, 20], [20, 30], [30, 40]), '10-40'],
    ['what is 1 ms apart', cut([10, 20], [20.001, 30]), '10-30'],
    ['not what is 2 ms apart', cut([10, 20], [20.002, 30]), '10-20 20.002-30'],
    ['not what plays at another speed', cut([10, 20], [20, 30, 2], [30, 40, 2]), '10-20 20-40x2'],
  ])('joining %s', (_, before, expected) => expect(show(cuts.join(before))).toBe(expected))

  it('splits off 0.1 s', () => expect(show(cuts.split(fromZero, 0.1))).toBe('0-0.1 0.1-40'))

  it('changes nothing where nothing touches', () => expect(cuts.join(two)).toBe(two))
})

describe('moving an edge', () => {
  it.each([
    ['earlier start', 0, 'start', 7, '7-20 25-40x2'],
    ['not before the source', 0, 'start', 1, '5-20 25-40x2'],
    ['not over the other edge', 0, 'start', 30, '19.9-20 25-40x2'],
    ['end up to the next stretch', 0, 'end', 30, '10-25 25-40x2'],
    ['end back to 0.1 s', 0, 'end', 0, '10-10.1 25-40x2'],
    ['start up to the one before', 1, 'start', 0, '10-20 20-40x2'],
    ['end to the end of the source', 1, 'end', 99, '10-20 25-60x2'],
    ['of none', 2, 'end', 30, '10-20 25-40x2'],
  ] as const)('%s', (_, index, side, to, expected) =>
    expect(show(cuts.moveEdge(two, { index, side }, to, bounds))).toBe(expected),
  )
})

describe('slipping', () => {
  const three = cut([10, 20], [25, 30, 2], [31, 40])
  it.each([
    ['earlier', 1, -2, '10-20 23-28x2 31-40'],
    ['to the one before', 1, -99, '10-20 20-25x2 31-40'],
    ['later', 1, 0.5, '10-20 25.5-30.5x2 31-40'],
    ['to the next', 1, 99, '10-20 26-31x2 31-40'],
    ['to the start of the source', 0, -99, '5-15 25-30x2 31-40'],
    ['to the end of the source', 2, 99, '10-20 25-30x2 51-60'],
    ['by less than half a millisecond', 1, 0.0004, '10-20 25-30x2 31-40'],
    ['by half a millisecond', 1, 0.0006, '10-20 25.001-30.001x2 31-40'],
    ['of none', 3, 1, '10-20 25-30x2 31-40'],
  ])('%s', (_, index, delta, expected) => expect(show(cuts.slip(three, index, delta, bounds))).toBe(expected))

  it('stays where neighbours overlap it', () => {
    const tight = cut([10, 20], [19, 30], [29, 40])
    expect(cuts.slip(tight, 1, 5, bounds)).toBe(tight)
    expect(cuts.slip(tight, 1, -5, bounds)).toBe(tight)
  })
})

describe('speed', () => {
  it.each([
    ['of a piece', 0, 1.5, '10-20x1.5 25-40x2'],
    ['of two digits', 0, 1.2345, '10-20x1.23 25-40x2'],
    ['of 4 at most', 0, 9, '10-20x4 25-40x2'],
    ['of a quarter at least', 0, 0.1, '10-20x0.25 25-40x2'],
    ['of none', 5, 2, '10-20 25-40x2'],
  ])('%s', (_, index, rate, expected) => expect(show(cuts.setRate(two, index, rate))).toBe(expected))

  it('that it has is no change', () => expect(cuts.setRate(two, 1, 2.001)).toBe(two))

  it.each([
    ['of a part', 12, 15, 3, '10-12 12-15x3 15-20 25-40x2'],
    ['of a part up to the start', 5, 15, 3, '10-15x3 15-20 25-40x2'],
    ['of a part from near the start', 10.05, 15, 3, '10-15x3 15-20 25-40x2'],
    ['of a part up to near the end', 15, 19.95, 3, '10-15 15-20x3 25-40x2'],
    ['over a gap', 15, 30, 3, '10-15 15-20x3 25-30x3 30-40x2'],
    ['of all', 0, 99, 3, '10-20x3 25-40x3'],
    ['only where it differs', 15, 30, 2, '10-15 15-20x2 25-40x2'],
    ['of too short a part', 12, 12.05, 3, '10-20 25-40x2'],
    ['of an eighth of a second', 12, 12.125, 3, '10-12 12-12.125x3 12.125-20 25-40x2'],
  ])('%s', (_, from, to, rate, expected) =>
    expect(show(cuts.setRateBetween(two, from, to, rate))).toBe(expected),
  )

  it('of 0.1 s at the start, and of all but that', () => {
    expect(show(cuts.setRateBetween(fromZero, 0, 0.1, 3))).toBe('0-0.1x3 0.1-40')
    expect(show(cuts.setRateBetween(fromZero, 0.1, 20, 3))).toBe('0-0.1 0.1-20x3 20-40')
  })

  it('between two times changes nothing where it is that speed', () => {
    expect(cuts.setRateBetween(two, 26, 30, 2)).toBe(two)
    expect(cuts.setRateBetween(two, 21, 24, 3)).toBe(two)
  })
})

describe('places', () => {
  it.each([
    [9, -1, 0, false],
    [10, 0, 0, true],
    [15, 0, 5, true],
    [20, -1, 10, false],
    [22, -1, 10, false],
    [25, 1, 10, true],
    [30, 1, 12.5, true],
    [40, -1, 17.5, false],
    [50, -1, 17.5, false],
  ])('of second %d: piece %d, played at %d', (time, piece, played, kept) => {
    expect(pieceAt(two, time)).toBe(piece)
    expect(playedAt(two, time)).toBe(played)
    expect(isKept(two, time)).toBe(kept)
  })

  it('of everything', () => expect([playedLength(one), playedLength(two)]).toEqual([30, 17.5]))
})

describe('the stretch of words', () => {
  const words = [
    { start: 1, end: 2 },
    { start: 3, end: 4 },
    { start: 3.5, end: 5 },
    { start: 7, end: 8 },
  ]
  it.each([
    ['the first begins with itself', 0, 0, { start: 1, end: 2.5 }],
    ['the last ends with itself', 3, 3, { start: 6, end: 8 }],
    ['neighbours that overlap leave nothing', 1, 1, { start: 2.5, end: 4 }],
    ['also before it', 2, 2, { start: 3.5, end: 6 }],
    ['several in any order', 2, 1, { start: 2.5, end: 6 }],
    ['none are at the start', 8, 8, { start: 0, end: 0 }],
  ])('%s', (_, first, last, expected) => expect(cuts.stretchOf(words, first, last)).toEqual(expected))
})
