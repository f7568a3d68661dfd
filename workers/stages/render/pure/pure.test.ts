import { describe, expect, it } from 'vitest'
import type { Composition } from '../../../../server/contract/composition.ts'
import type { AudioGain } from '../../../media/arguments/render-audio.ts'
import { bandPictureHeader, bandStreamHeader, frameNanoseconds } from '../bands.ts'
import {
  closeEnough,
  correctGain,
  decideGain,
  decideMix,
  EXACT,
  limitsHard,
  parseLoudness,
  planGain,
} from './gain.ts'
import { transparentPicture, writeRegion } from './yuva.ts'

const WANTED = { integratedLufs: -14, truePeakDb: -1, crossfadeMs: 10, edgeFadeMs: 15 }

describe('gain', () => {
  it('reads the summary and not the lines before it', () => {
    const stderr =
      'I: -70.0 LUFS\n[x] Summary:\n\n  Integrated loudness:\n    I:         -23.4 LUFS\n  True peak:\n    Peak:       -5.1 dBFS\n'
    expect(parseLoudness(stderr)).toEqual({ integratedLufs: -23.4, truePeakDb: -5.1 })
    expect(parseLoudness('Summary:\n I: -70.0 LUFS\n Peak: -inf dBFS')).toEqual({
      integratedLufs: null,
      truePeakDb: null,
    })
  })

  it.each([
    ['peaks stay low', { integratedLufs: -20, truePeakDb: -12 }, { gainDb: 6, ceilingDb: null }],
    ['peaks would pass', { integratedLufs: -24, truePeakDb: -6 }, { gainDb: 10, ceilingDb: -1.7 }],
    ['too loud', { integratedLufs: -6, truePeakDb: 0.5 }, { gainDb: -8, ceilingDb: null }],
    ['never lifts noise', { integratedLufs: -55, truePeakDb: -50 }, { gainDb: 36, ceilingDb: null }],
    ['silence', { integratedLufs: null, truePeakDb: null }, null],
    ['nearly silence', { integratedLufs: -65, truePeakDb: -50 }, null],
  ])('%s', (_name, measured, expected) => {
    expect(decideGain(measured, WANTED)).toEqual(expected)
  })

  it('leaves the level alone when nothing is wanted', () => {
    expect(
      decideGain({ integratedLufs: -20, truePeakDb: -3 }, { ...WANTED, integratedLufs: null }),
    ).toBeNull()
  })

  it('makes good what a hard limiter takes, within reason', () => {
    const measured = { integratedLufs: -24, truePeakDb: -2 }
    const gain = { gainDb: 10, ceilingDb: -1.7 }
    expect(limitsHard(measured, gain)).toBe(true)
    expect(correctGain(gain, { integratedLufs: -15.5, truePeakDb: -1.7 }, WANTED).gainDb).toBeCloseTo(11.5)
    expect(correctGain(gain, { integratedLufs: -40, truePeakDb: -1.7 }, WANTED).gainDb).toBe(16)
  })
})

describe('gain of a mix', () => {
  const own = { gainDb: 6, ceilingDb: -1.7 }

  it('keeps the speech’s own and turns the whole, with one ceiling for it', () => {
    const loud = decideMix(own, { integratedLufs: -13.2, truePeakDb: 1 }, WANTED)
    expect(loud).toMatchObject({ gainDb: 6, ceilingDb: -1.7 })
    expect(loud?.mixDb).toBeCloseTo(-0.8)
    expect(decideMix(own, { integratedLufs: -13, truePeakDb: -5 }, WANTED)?.ceilingDb).toBeNull()
  })

  it('is of the music alone where the source says nothing, and none where nothing is heard', () => {
    expect(decideMix(null, { integratedLufs: -30, truePeakDb: -20 }, WANTED)).toEqual({
      gainDb: 0,
      ceilingDb: null,
      mixDb: 16,
    })
    expect(decideMix(null, { integratedLufs: null, truePeakDb: null }, WANTED)).toBeNull()
  })

  it('is corrected before the limiter, and is enough when nobody would hear the rest', () => {
    const gain = { gainDb: 6, ceilingDb: -1.7, mixDb: 2 }
    expect(limitsHard({ integratedLufs: -15, truePeakDb: 0 }, gain)).toBe(true)
    expect(limitsHard({ integratedLufs: -15, truePeakDb: -3 }, gain)).toBe(false)
    const corrected = correctGain(gain, { integratedLufs: -14.9, truePeakDb: -1.7 }, WANTED)
    expect(corrected).toMatchObject({ gainDb: 6, ceilingDb: -1.7 })
    expect(corrected.mixDb).toBeCloseTo(2.9)
    expect(closeEnough({ integratedLufs: -14.2, truePeakDb: -1.7 }, WANTED)).toBe(true)
    expect(closeEnough({ integratedLufs: -14.5, truePeakDb: -1.7 }, WANTED)).toBe(false)
  })
})

describe('yuva', () => {
  const picture = transparentPicture(4, 4)
  const one = (colour: readonly number[]): number[] => {
    writeRegion(picture, Uint8Array.from(Array.from({ length: 4 }, () => colour).flat()), {
      x: 2,
      y: 0,
      width: 2,
      height: 2,
    })
    const { bytes } = picture
    return [bytes[2], bytes[16 + 1], bytes[20 + 1], bytes[24 + 2]].map((value) => value ?? -1)
  }

  it.each([
    ['white', [255, 255, 255, 255], [235, 128, 128, 255]],
    ['black', [0, 0, 0, 255], [16, 128, 128, 255]],
    ['red', [255, 0, 0, 255], [63, 102, 240, 255]],
    ['half white', [255, 255, 255, 128], [118, 128, 128, 128]],
    ['nothing', [255, 255, 255, 0], [0, 128, 128, 0]],
  ])('%s', (_name, colour, expected) => {
    expect(one(colour)).toEqual(expected)
  })

  it('writes its region and nothing beside it', () => {
    one([10, 200, 30, 255])
    expect([...picture.bytes.subarray(0, 16)].map((value) => value > 0)).toEqual(
      [...'0011001100000000'].map((digit) => digit === '1'),
    )
    one([0, 0, 0, 0])
    expect(picture.bytes).toEqual(transparentPicture(4, 4).bytes)
  })

  it('leaves colours as they are for a tool that multiplies by alpha itself', () => {
    const straight = transparentPicture(2, 2, { kind: 'straight' })
    expect([...straight.bytes.subarray(4)]).toEqual([128, 128, 0, 0, 0, 0])
    // Half a red, and three pixels whose green nobody sees.
    const red = [255, 0, 0, 128]
    const unseen = [0, 255, 0, 0]
    const pixels = Uint8Array.from([...red, ...unseen, ...unseen, ...unseen])
    writeRegion(straight, pixels, { x: 0, y: 0, width: 2, height: 2 }, { kind: 'straight' })
    const { bytes } = straight
    expect([bytes[0], bytes[4], bytes[5]]).toEqual([63, 102, 240])
    expect([...bytes.subarray(6)]).toEqual([128, 0, 0, 0])
  })
})

describe('band stream', () => {
  it('counts a size in its own bytes', () => {
    const head = bandPictureHeader(300, 1000)
    const size = Number(new DataView(head.buffer).getBigUint64(4) & 0xffffffffffffffn)
    expect(size).toBe(head.length - 12 + 1000)
  })

  it('ticks once a frame', () => {
    expect(frameNanoseconds({ numerator: 30000, denominator: 1001 })).toBe(33366666)
    expect(bandStreamHeader(640, 360, { numerator: 25, denominator: 1 }).length).toBeGreaterThan(100)
  })
})

describe('where somebody measures', () => {
  const clip = {
    source: { hasAudio: true } as Composition['source'],
    audio: { ...WANTED, integratedLufs: -23, truePeakDb: -1 },
  }
  /** A limiter that takes a share of the gain, and never lets more than `most` through. */
  const limiter = (share: number, most: number) => (gain: AudioGain | null) => {
    if (gain === null) return { integratedLufs: -30, truePeakDb: -6.5 }
    return { integratedLufs: Math.min(most, -30 + gain.gainDb * share), truePeakDb: -1.7 }
  }

  it('every limited result is measured until it is near', async () => {
    const usual = await planGain(clip, limiter(0.97, 0))
    expect(usual.gain?.gainDb).toBe(7)
    const exact = await planGain(clip, limiter(0.97, 0), EXACT)
    expect(Math.abs((exact.expectedLufs ?? 0) + 23)).toBeLessThanOrEqual(0.1)
    expect(exact.nearest).toBeUndefined()
  })

  it('what cannot be reached is said', async () => {
    expect((await planGain(clip, limiter(0.97, -25), EXACT)).nearest).toBe(-25)
  })
})
