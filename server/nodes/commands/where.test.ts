/** Where commands act: words, times, the playhead. The sample's player counts from 0 at second 10 of the source. */
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../../test/support/command-cases.ts'
import { sampleContext, SAMPLE_EDIT, SAMPLE_WORDS } from '../../../test/support/sample-clip.ts'
import { remove } from '../editing/cut.ts'
import {
  beside,
  clock,
  cutOfSpan,
  isPlayed,
  playedWords,
  quoted,
  spansOf,
  stretchAt,
  stretchFor,
  type Where,
} from './where.ts'

const CONTEXT = sampleContext()
const END = SAMPLE_EDIT.cut.endTimestamp

describe('clock', () => {
  it.each([
    [0, '0:00'],
    [7, '0:07'],
    [7.04, '0:07'],
    [7.05, '0:07.1'],
    [7.5, '0:07.5'],
    [12.3, '0:12.3'],
    [12, '0:12'],
    [59.94, '0:59.9'],
    [59.96, '1:00'],
    [60, '1:00'],
    [62.5, '1:02.5'],
    [75, '1:15'],
    [600, '10:00'],
    [3661, '61:01'],
  ])('%d is %s', (seconds, text) => {
    expect(clock(seconds)).toBe(text)
  })
})

describe('quoted', () => {
  const words = (length: number) =>
    sampleContext({ words: SAMPLE_WORDS.slice(0, 1).map((one) => ({ ...one, word: 'x'.repeat(length) })) })
  it('joins the words of a span', () => {
    expect(quoted(CONTEXT, { first: 0, last: 3 })).toBe('“Welcome to the show.”')
    expect(quoted(CONTEXT, { first: 1, last: 1 })).toBe('“to”')
  })
  it.each([
    [79, `“${'x'.repeat(79)}”`],
    [80, `“${'x'.repeat(80)}”`],
    [81, `“${'x'.repeat(77)}…”`],
    [200, `“${'x'.repeat(77)}…”`],
  ])('shows %d letters as %s', (length, text) => {
    expect(quoted(words(length), { first: 0, last: 0 })).toBe(text)
  })
})

describe('spansOf', () => {
  it.each([
    {
      phrase: 'three times',
      at: [
        [7, 8],
        [23, 24],
      ],
    },
    {
      phrase: 'THREE TIMES',
      at: [
        [7, 8],
        [23, 24],
      ],
    },
    { phrase: 'welcome', at: [[0, 0]] },
    { phrase: 'tree times', at: [[7, 8]] },
    { phrase: 'the point', at: [[14, 15]] },
  ])('$phrase is said at $at', ({ phrase, at }) => {
    expect(spansOf(CONTEXT, phrase)).toEqual(at.map(([first, last]) => ({ first, last })))
  })
  it('refuses what is not said, and names the nearest words', () => {
    expect(refusalOf(() => spansOf(CONTEXT, 'the point was made'))).toBe(
      '“the point was made” is not said in this clip. Did you mean “the point is,”?',
    )
    expect(refusalOf(() => spansOf(sampleContext({ words: [] }), 'welcome'))).toBe(
      '“welcome” is not said in this clip.',
    )
    expect(refusalOf(() => spansOf(CONTEXT, '…'))).toBe('“…” is not said in this clip.')
  })
})

describe('what is played', () => {
  const edit = { ...SAMPLE_EDIT, cut: remove(SAMPLE_EDIT.cut, 10, 10.75) }
  it('is every word until something is cut', () => {
    expect(playedWords(SAMPLE_EDIT, CONTEXT)).toEqual([...SAMPLE_WORDS.keys()])
    expect(playedWords(edit, CONTEXT)).toEqual([...SAMPLE_WORDS.keys()].slice(2))
  })
  it.each([
    [0, 0, false],
    [1, 1, false],
    [1, 2, false],
    [0, 5, false],
    [2, 2, true],
    [2, 3, true],
    [3, 26, true],
  ])('the words %d to %d are: %j', (first, last, played) => {
    expect(isPlayed(edit, CONTEXT, { first, last })).toBe(played)
    expect(isPlayed(SAMPLE_EDIT, CONTEXT, { first, last })).toBe(true)
  })
})

describe('stretchAt', () => {
  it.each<readonly [where: Where, start: number, end: number]>([
    [{ from: 2, to: 4 }, 12, 14],
    [{ from: 2 }, 12, END],
    [{ to: 4 }, 10, 14],
    [{ from: 0, to: 1 }, 10, 11],
    [{ from: 3, to: 9_999 }, 13, END],
    [{ phrase: 'Welcome' }, 10, 10.3],
    [{ phrase: 'welcome to the show' }, 10, 11.5],
    [{ phrase: 'welcome', from: 2, to: 4 }, 10, 10.3],
  ])('%j is %d to %d', (where, start, end) => {
    const stretch = stretchAt(SAMPLE_EDIT, CONTEXT, where)
    expect(stretch?.start).toBeCloseTo(start, 6)
    expect(stretch?.end).toBeCloseTo(end, 6)
  })
  it('is nothing where nothing was named', () => {
    expect(stretchAt(SAMPLE_EDIT, CONTEXT, {})).toBeNull()
  })
  it('is the first place that is played, else the first', () => {
    const seven = SAMPLE_WORDS[7]
    const later = SAMPLE_WORDS[23]
    const without = {
      ...SAMPLE_EDIT,
      cut: remove(SAMPLE_EDIT.cut, seven?.start ?? 0, (seven?.start ?? 0) + 0.7),
    }
    expect(stretchAt(SAMPLE_EDIT, CONTEXT, { phrase: 'three times' })?.start).toBe(seven?.start)
    expect(stretchAt(without, CONTEXT, { phrase: 'three times' })?.start).toBe(later?.start)
    const none = sampleContext({ heard: () => false })
    expect(stretchAt(SAMPLE_EDIT, none, { phrase: 'three times' })).toEqual({
      start: SAMPLE_WORDS[7]?.start,
      end: SAMPLE_WORDS[8]?.end,
    })
  })
  it.each<Where>([{ from: 4, to: 4 }, { from: 5, to: 4 }, { from: 90 }, { from: 90, to: 95 }, { to: 0 }])(
    'refuses %j',
    (where) => {
      expect(refusalOf(() => stretchAt(SAMPLE_EDIT, sampleContext({ length: 21.5 }), where))).toBe(
        'The clip is 0:21.5 long; that stretch lies outside of it.',
      )
    },
  )
})

describe('stretchFor', () => {
  const SIZES = { usual: 2, least: 0.5 }
  it.each<readonly [where: Where, start: number, end: number]>([
    [{}, 14, 16],
    [{ from: 3 }, 13, 15],
    [{ from: 3, to: 8 }, 13, 18],
    [{ to: 3 }, 10, 13],
    [{ from: 3, to: 3.5 }, 13, 13.5],
    [{ from: 3, to: 3.1 }, 12.8, 13.3],
    [{ from: 0, to: 0.1 }, 9.8, 10.3],
    [{ from: 2.12345, to: 4.12355 }, 12.123, 14.124],
    [{ phrase: 'welcome' }, 9.9, 10.4],
    [{ phrase: 'welcome to the show' }, 10, 11.5],
  ])('%j is %d to %d', (where, start, end) => {
    expect(stretchFor(SAMPLE_EDIT, CONTEXT, where, SIZES)).toEqual({ start, end })
  })
  it('does not reach past the ends', () => {
    const last = CONTEXT.length
    expect(stretchFor(SAMPLE_EDIT, CONTEXT, { from: last - 0.1, to: last }, SIZES)).toEqual({
      start: END - 0.5,
      end: END + 0.2,
    })
    const early = sampleContext({ sourceAt: (played) => played })
    expect(stretchFor(SAMPLE_EDIT, early, { from: 0, to: 0.1 }, SIZES)).toEqual({ start: 0, end: 0.5 })
    expect(stretchFor(SAMPLE_EDIT, sampleContext({ playhead: 20 }), {}, { usual: 3, least: 1 })).toEqual({
      start: 20,
      end: 23,
    })
  })
})

it('leaves what lies beside a stretch', () => {
  const list = [
    { start: 0, end: 2 },
    { start: 1, end: 3 },
    { start: 2, end: 4 },
    { start: 3, end: 5 },
    { start: 4, end: 6 },
    { start: 0, end: 9 },
  ]
  expect(beside(list, { start: 2, end: 4 })).toEqual([
    { start: 0, end: 2 },
    { start: 4, end: 6 },
  ])
  expect(beside(list, { start: 20, end: 40 })).toEqual(list)
  expect(beside(list, null)).toEqual([])
})

it('cuts whole words', () => {
  const { start, end } = cutOfSpan(CONTEXT, { first: 7, last: 8 })
  expect(start).toBeGreaterThanOrEqual(SAMPLE_WORDS[6]?.end ?? 0)
  expect(start).toBeLessThanOrEqual(SAMPLE_WORDS[7]?.start ?? 0)
  expect(end).toBeGreaterThanOrEqual(SAMPLE_WORDS[8]?.end ?? 0)
  expect(end).toBeLessThanOrEqual(SAMPLE_WORDS[9]?.start ?? 0)
})
