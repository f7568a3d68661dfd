import { describe, expect, it } from 'vitest'
import type { TimeSpan } from '../../contract/composition.ts'
import { secondsToTicks, ticksToSeconds } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { audioMasks, type MutedWord } from './audio-masks.ts'

const RATE = { numerator: 25, denominator: 1 }
const word = (start: number, end: number): TranscriptWord => ({ word: 'word', start, end })

/** Source seconds that are played from a frame on. */
function span(start: number, end: number, startFrame: number, playbackRate = 1): TimeSpan {
  return {
    startFrame,
    endFrame: startFrame + Math.round(((end - start) / playbackRate) * 25),
    sourceStart: secondsToTicks(start),
    sourceEnd: secondsToTicks(end),
    playbackRate,
  }
}

const masks = (
  words: readonly TranscriptWord[],
  muted: readonly MutedWord[],
  timeMap: readonly TimeSpan[] = [span(10, 20, 0)],
) =>
  audioMasks(words, muted, timeMap, RATE).map(({ start, end, kind }) => [
    kind,
    Number(ticksToSeconds(start).toFixed(4)),
    Number(ticksToSeconds(end).toFixed(4)),
  ])
const beep = (index: number): MutedWord => ({ index, kind: 'beep' })
const silence = (index: number): MutedWord => ({ index, kind: 'silence' })

describe('masks of words', () => {
  it.each([
    [
      'reach a little into the pauses around',
      [word(11, 11.5), word(12, 12.5), word(13, 13.5)],
      [['silence', 1.96, 2.56]],
    ],
    ['stop at the neighbours', [word(11, 11.98), word(12, 12.5), word(12.53, 13)], [['silence', 1.98, 2.53]]],
    [
      'cover the word where neighbours overlap it',
      [word(11, 12.2), word(12, 12.5), word(12.3, 13)],
      [['silence', 2, 2.5]],
    ],
    [
      'heed a long word further back',
      [word(11.5, 11.99), word(11.6, 11.7), word(12, 12.5)],
      [['silence', 1.99, 2.56]],
    ],
  ])('%s', (_, words, expected) => {
    const index = words.findIndex(({ start }) => start === 12)
    expect(masks(words, [silence(index)])).toEqual(expected)
  })

  it('heed twenty words before, not more', () => {
    const around = (count: number) => [
      word(10, 11.99),
      ...Array.from({ length: count }, () => word(11, 11.1)),
      word(12, 12.5),
    ]
    expect(masks(around(19), [silence(20)])).toEqual([['silence', 1.99, 2.56]])
    expect(masks(around(20), [silence(21)])).toEqual([['silence', 1.96, 2.56]])
  })

  it('have no margin beside a cut', () =>
    expect(masks([word(11, 11.5)], [{ index: 0, kind: 'beep', tight: true }])).toEqual([['beep', 1, 1.5]]))

  it.each([
    ['before the clip', word(5, 6), []],
    ['after the clip', word(21, 22), []],
    ['across its start', word(9, 11), [['silence', 0, 1]]],
    ['across its end', word(19, 21), [['silence', 9, 10]]],
    ['with 12 ms of it played', word(19.988, 21), [['silence', 9.988, 10]]],
    ['with 11 ms of it played', word(19.989, 21), []],
  ])('a word %s', (_, one, expected) =>
    expect(masks([one], [{ index: 0, kind: 'silence', tight: true }])).toEqual(expected),
  )

  it('are none for words that do not exist', () => expect(masks([word(11, 12)], [beep(3)])).toEqual([]))

  it('follow the cuts and the speed of the clip', () => {
    const timeMap = [span(10, 12, 0), span(14, 18, 50, 2)]
    expect(masks([word(11, 15), word(16, 17)], [silence(0), beep(1)], timeMap)).toEqual([
      ['silence', 0.96, 2.53],
      ['beep', 2.98, 3.53],
    ])
  })
})

describe('masks that meet', () => {
  const words = [word(11, 12), word(11.5, 12.5), word(12.5, 13), word(14, 15), word(14.2, 14.6)]
  it.each([
    ['are one where they overlap', [silence(0), silence(1)], [['silence', 1, 2.5]]],
    ['are one where they touch', [silence(1), silence(2)], [['silence', 1.5, 3]]],
    [
      'stay two with time between',
      [silence(0), silence(3)],
      [
        ['silence', 1, 2],
        ['silence', 4, 5],
      ],
    ],
    [
      'are sorted, whatever order the words are in',
      [silence(3), silence(0)],
      [
        ['silence', 1, 2],
        ['silence', 4, 5],
      ],
    ],
    ['are one as long as the longer', [silence(3), silence(4)], [['silence', 4, 5]]],
    [
      'give way to the earlier kind',
      [beep(0), silence(1)],
      [
        ['beep', 1, 2],
        ['silence', 2, 2.5],
      ],
    ],
    ['vanish within another kind', [beep(3), silence(4)], [['beep', 4, 5]]],
    [
      'keep their kinds where they touch',
      [silence(1), beep(2)],
      [
        ['silence', 1.5, 2.5],
        ['beep', 2.5, 3],
      ],
    ],
  ])('%s', (_, muted, expected) =>
    expect(
      masks(
        words,
        muted.map((one) => ({ ...one, tight: true })),
      ),
    ).toEqual(expected),
  )
})
