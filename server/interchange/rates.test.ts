import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NTSC, rate } from '../../test/support/export-clip.ts'
import { dropsFrames, frameOfHour, isNtsc, rationalSeconds, timebase, timecode } from './rates.ts'

const DOUBLE = rate(60_000, 1001)
const FILM = rate(24_000, 1001)

it('rounds rates to the base of their timecode', () => {
  expect([NTSC, DOUBLE, FILM, rate(25), rate(25, 2)].map(timebase)).toEqual([30, 60, 24, 25, 13])
})

it('takes a rate for NTSC where it is a thousandth slower than a whole number', () => {
  const rates = [NTSC, DOUBLE, FILM, rate(30), rate(30_000, 1000), rate(30_030, 1001)]
  expect(rates.map(isNtsc)).toEqual([true, true, true, false, false, false])
  expect(rates.map(dropsFrames)).toEqual([true, true, false, false, false, false])
})

describe('timecode', () => {
  it.each([
    // SMPTE 12M: the numbers 0 and 1 are left out at the start of each minute but every tenth.
    [0, NTSC, '00:00:00;00'],
    [29, NTSC, '00:00:00;29'],
    [30, NTSC, '00:00:01;00'],
    [1799, NTSC, '00:00:59;29'],
    [1800, NTSC, '00:01:00;02'],
    [3597, NTSC, '00:01:59;29'],
    [3598, NTSC, '00:02:00;02'],
    [17_981, NTSC, '00:09:59;29'],
    [17_982, NTSC, '00:10:00;00'],
    [19_781, NTSC, '00:10:59;29'],
    [19_782, NTSC, '00:11:00;02'],
    [107_892, NTSC, '01:00:00;00'],
    [2_589_407, NTSC, '23:59:59;29'],
    [2_589_408, NTSC, '00:00:00;00'],
    // At 59.94 four numbers are left out.
    [3599, DOUBLE, '00:00:59;59'],
    [3600, DOUBLE, '00:01:00;04'],
    [35_964, DOUBLE, '00:10:00;00'],
    // Without drop frame every number counts.
    [1439, FILM, '00:00:59:23'],
    [1440, FILM, '00:01:00:00'],
    [24, rate(25), '00:00:00:24'],
    [25, rate(25), '00:00:01:00'],
    [90_000, rate(25), '01:00:00:00'],
    [2_159_999, rate(25), '23:59:59:24'],
    [2_160_000, rate(25), '00:00:00:00'],
  ])('of frame %i', (frame, fps, text) => {
    expect(timecode(frame, fps)).toBe(text)
  })

  it('starts an hour at the frame that it shows as that hour', () => {
    expect([frameOfHour(1, NTSC), frameOfHour(1, DOUBLE), frameOfHour(2, rate(25))]).toEqual([
      107_892, 215_784, 180_000,
    ])
    for (const fps of [NTSC, DOUBLE, FILM, rate(25)])
      expect(timecode(frameOfHour(3, fps), fps)).toMatch(/^03:00:00[:;]00$/)
  })
})

describe('lengths in seconds', () => {
  it('are whole where they can be, otherwise a fraction in lowest terms', () => {
    expect([0, 1, 5, 25, 30, 50].map((frames) => rationalSeconds(frames, rate(25)))).toEqual([
      '0s',
      '1/25s',
      '1/5s',
      '1s',
      '6/5s',
      '2s',
    ])
    expect(rationalSeconds(1, NTSC)).toBe('1001/30000s')
    expect(rationalSeconds(10, NTSC)).toBe('1001/3000s')
    expect(rationalSeconds(30_000, NTSC)).toBe('1001s')
  })

  it('are exactly the frames', () => {
    const rates = fc.constantFrom(NTSC, DOUBLE, FILM, rate(25), rate(30))
    fc.assert(
      fc.property(fc.nat(1_000_000), rates, (frames, fps) => {
        const [, top, bottom = 1] = /^(\d+)(?:\/(\d+))?s$/.exec(rationalSeconds(frames, fps)) ?? []
        expect((Number(top) / Number(bottom)) * (fps.numerator / fps.denominator)).toBeCloseTo(frames, 5)
      }),
    )
  })
})
