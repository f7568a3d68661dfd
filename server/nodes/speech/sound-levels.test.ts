import { describe, expect, it } from 'vitest'
import type { ClipSound } from '../../contract/clip-measurements.ts'
import { findSilences, isSilent, levelAround, silenceThreshold } from './sound-levels.ts'

/** Hops of half a second from second 4; `#` is -84 dB, `[` 0 dB, `;` -48 dB, which is the threshold. */
const soundOf = (levels: string, over: Partial<ClipSound> = {}): ClipSound => ({
  start: 4,
  hopSeconds: 0.5,
  levels,
  speechLevelDb: -20,
  noiseLevelDb: -60,
  ...over,
})

describe('the level below which it is silent', () => {
  it.each([
    ['0.3 of the contrast over the background', -20, -60, -48],
    ['4 dB over a background that is hardly quieter', -20, -32, -28],
    ['4 dB where 0.3 of the contrast is a little less', -14, -27, -23],
    ['6 dB under the speech at the least contrast', -20, -28, -26],
    ['none when the background is nearly as loud', -20, -27.9, null],
    ['none when the background is louder', -40, -20, null],
  ])('%s', (_, speechLevelDb, noiseLevelDb, expected) =>
    expect(silenceThreshold(soundOf('', { speechLevelDb, noiseLevelDb }))).toBe(expected),
  )
})

describe('the level around a moment', () => {
  const sound = soundOf('#;[')
  it.each([
    ['between two hops', 4.5, -66],
    ['just before the middle of a hop', 4.74, -66],
    ['just after the middle of a hop', 4.76, -24],
    ['at the last edge inside', 5, -24],
    ['not at the start of what was measured', 4, undefined],
    ['not at its end', 5.5, undefined],
    ['not before it', 3, undefined],
    ['not after it', 9, undefined],
  ])('%s', (_, seconds, expected) => expect(levelAround(sound, seconds)).toBe(expected))
})

describe('silences', () => {
  const sound = soundOf('##[[###[;#')
  it.each([
    [
      'all that was measured',
      4,
      9,
      [
        [4, 5],
        [6, 7.5],
        [8.5, 9],
      ],
    ],
    [
      'cut to what is asked for',
      4.25,
      6.75,
      [
        [4.25, 5],
        [6, 6.75],
      ],
    ],
    ['nothing before what was measured', 3, 4.75, [[4, 4.75]]],
    ['nothing after it', 8.75, 20, [[8.75, 9]]],
    ['neither neighbour of a loud stretch', 5, 6, []],
    ['a part of one hop', 6.5, 6.75, [[6.5, 6.75]]],
    ['nothing at the threshold itself', 8, 8.5, []],
    ['nothing where no time passes', 6, 6, []],
    ['nothing that was not measured', 20, 30, []],
  ])('%s', (_, from, to, expected) =>
    expect(findSilences(sound, from, to)).toEqual(expected.map(([start, end]) => ({ start, end }))),
  )

  it('are unknown when the background is about as loud as the speech', () =>
    expect(findSilences(soundOf('####', { noiseLevelDb: -25 }), 4, 6)).toEqual([]))

  it.each([
    ['a silent stretch', 6, 7.5, true],
    ['a part of it', 6.1, 6.2, true],
    ['a stretch with sound at its start', 5.75, 7, false],
    ['a stretch with sound at its end', 6.5, 7.75, false],
    ['a stretch with sound within', 4.5, 6.5, false],
    ['a loud stretch', 5, 6, false],
    ['a stretch that was not measured', 20, 21, false],
    ['a stretch that is partly not measured', 3.5, 4.5, false],
    ['no stretch at all', 5.5, 5.5, true],
    ['a stretch that ends before it starts', 5.5, 5, true],
  ])('hold %s: %s to %s is %s', (_, from, to, expected) => expect(isSilent(sound, from, to)).toBe(expected))

  it('forgive a millionth of a second at either end, not more', () => {
    const close = (from: number, to: number) => isSilent(soundOf('[##[', { hopSeconds: 1 }), from, to)
    expect(close(5 - 5e-7, 7 + 5e-7)).toBe(true)
    expect(close(5 - 5e-6, 7)).toBe(false)
    expect(close(5, 7 + 5e-6)).toBe(false)
  })
})
