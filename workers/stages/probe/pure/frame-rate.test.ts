import { describe, expect, it } from 'vitest'
import { decideFrameRate, nearestStandard, parseRational } from './frame-rate.ts'

const rate = (numerator: number, denominator = 1) => ({ numerator, denominator })
const even = (step: number, count = 100): number[] =>
  Array.from({ length: count }, (_, index) => index * step)

describe('frame rates', () => {
  it('reads fractions', () => {
    expect(['30000/1001', '16:15', '50/2', '0/0', '1/0', 'x', undefined].map(parseRational)).toEqual([
      rate(30_000, 1001),
      rate(16, 15),
      rate(25),
      null,
      null,
      null,
      null,
    ])
  })

  it.each([
    [
      'an even NTSC stream',
      rate(30_000, 1001),
      rate(30_000, 1001),
      even(1001 / 30_000),
      rate(30_000, 1001),
      false,
    ],
    [
      'milliseconds of a Matroska file',
      rate(19_001, 317),
      rate(60),
      even(1 / 60).map((t) => Math.round(t * 1000) / 1000),
      rate(60_000, 1001),
      false,
    ],
    [
      'fragmented MP4 that states too long a length',
      rate(30_000, 1201),
      rate(25),
      even(0.04),
      rate(25),
      false,
    ],
    ['a phone that skips frames', rate(2987, 100), rate(30), even(1 / 30), rate(30), true],
    ['a phone whose average is far off', rate(24_317, 1000), rate(30), even(1 / 30), rate(24), true],
    ['fields counted as frames', rate(25), rate(50), even(0.04), rate(25), false],
    ['an odd but even rate', rate(25, 2), rate(25, 2), even(0.08), rate(25, 2), false],
    ['a thousand frames a second', rate(1000), rate(1000), even(0.001), rate(120), false],
    ['no rate but times', null, null, even(1 / 24), rate(24), false],
    [
      'what a browser recorded',
      null,
      rate(1000),
      even(1 / 30).map((time, index) => Math.round(time * 1000 + (index % 3)) / 1000),
      rate(30),
      false,
    ],
    ['nothing at all', null, null, [], rate(30), false],
  ])('%s', (_name, average, nominal, times, frameRate, variableFrameRate) => {
    expect(decideFrameRate(average, nominal, [times])).toEqual({ frameRate, variableFrameRate })
  })

  it('sees uneven steps in one of several stretches', () => {
    const jumpy = even(1 / 30).filter((_, index) => index % 9 !== 4)
    expect(decideFrameRate(rate(30), rate(30), [even(1 / 30), jumpy]).variableFrameRate).toBe(true)
    const oneLost = even(1 / 30, 300).filter((_, index) => index !== 150)
    expect(decideFrameRate(rate(30), rate(30), [oneLost]).variableFrameRate).toBe(false)
  })

  it('goes to the nearest standard rate by ratio', () => {
    expect([17, 22, 29.9, 44, 55, 200].map((value) => nearestStandard(value).numerator)).toEqual([
      15, 24_000, 30_000, 48, 60_000, 120,
    ])
  })
})
