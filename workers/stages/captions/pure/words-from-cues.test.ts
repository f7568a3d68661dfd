import { describe, expect, it } from 'vitest'
import { inSequence, wordsFromCue } from './words-from-cues.ts'

const cue = { start: 1, end: 3, words: ['one', 'two'], speaker: null, parts: [] }
const open = { earliest: 0, latest: 60 }

describe('words of a cue without sound', () => {
  it('share its time in their order, and the last ends the cue', () => {
    const [one, two] = wordsFromCue(cue, open, null)
    expect(one).toEqual({ word: 'one', start: 1, end: two?.start })
    expect(two).toMatchObject({ word: 'two', end: 3, endsCue: true })
    expect(two).not.toHaveProperty('speaker')
  })

  it('are all said by who speaks in the cue', () => {
    expect(wordsFromCue({ ...cue, speaker: 0 }, open, null).map(({ speaker }) => speaker)).toEqual([0, 0])
  })

  it('begin after the cue before, and take 20 ms each at least', () => {
    expect(wordsFromCue(cue, { earliest: 2, latest: 60 }, null)[0]?.start).toBe(2)
    expect(wordsFromCue(cue, { earliest: 5, latest: 60 }, null)).toMatchObject([
      { start: 5 },
      { end: 5.04, endsCue: true },
    ])
  })
})

describe('words with inline times', () => {
  const timed = (second: number, end: number, first = 'one') =>
    wordsFromCue(
      {
        ...cue,
        end,
        parts: [
          { start: 1, text: first },
          { start: second, text: 'two' },
        ],
      },
      open,
      null,
    ).map(({ start, end: until }) => [start, until])

  it('begin when the captions say, and last until the next', () => {
    expect(timed(1.5, 2)).toEqual([
      [1, 1.5],
      [1.5, 2],
    ])
    expect(timed(1.9, 2)[0]).toEqual([1, 1.9])
  })

  it('end before a pause: a word lasts 0.9 s at most, two of one part 1.5 s', () => {
    expect(timed(3, 9)).toEqual([
      [1, 1.9],
      [3, 3.9],
    ])
    const [, second] = timed(5, 6, 'one more')
    expect(second?.[1]).toBe(2.5)
  })
})

describe('words in sequence', () => {
  it('never overlap and never go back', () => {
    const words = [
      { word: 'a', start: 1, end: 3 },
      { word: 'b', start: 2, end: 2.5 },
      { word: 'c', start: 1.5, end: 1.8 },
      { word: 'd', start: 4, end: 5 },
    ]
    expect(inSequence(words).map(({ start, end }) => [start, end])).toEqual([
      [1, 2],
      [2, 2],
      [2, 2],
      [4, 5],
    ])
    expect(inSequence([])).toEqual([])
  })
})
