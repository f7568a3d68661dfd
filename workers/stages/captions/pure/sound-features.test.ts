import { describe, expect, it } from 'vitest'
import { featuresOf, FLOOR_DB, percentile, sliceFeatures } from './sound-features.ts'

/** At 1,000 samples a second, so that a frame is ten of them. */
const features = (samples: readonly number[], rate = 1000) => featuresOf(Int16Array.from(samples), rate, 0)
const dB = (values: Float32Array | undefined) =>
  [...(values ?? [])].map((value) => Math.round(value * 100) / 100)
const repeat = (count: number, ...values: number[]) => Array.from({ length: count }, () => values).flat()

describe('the level', () => {
  it('is the power of each frame against full scale', () => {
    // Half of full scale is a quarter of its power: -6.02 dB.
    const { levelDb } = features([...repeat(10, 16_384), ...repeat(10, 0), ...repeat(10, -32_768)])
    expect(dB(levelDb)).toEqual([-6.02, FLOOR_DB, 0])
  })

  it('of a last part counts its own samples only, and a part of less than half a frame is left out', () => {
    expect(dB(features(repeat(14, 16_384)).levelDb)).toEqual([-6.02])
    expect(dB(features(repeat(15, 16_384)).levelDb)).toEqual([-6.02, -6.02])
    expect(features([]).levelDb).toHaveLength(0)
  })

  it('takes frames that are no whole number of samples where they are', () => {
    // 110.25 samples a frame: the second begins with sample 110 and ends before 221.
    const samples = new Array<number>(441).fill(0)
    samples[110] = 32_767
    samples[220] = 32_767
    samples[331] = 32_767
    const { levelDb } = features(samples, 11_025)
    expect([...levelDb].map((level) => level > FLOOR_DB)).toEqual([false, true, false, true])
    expect(levelDb[1]! - levelDb[3]!).toBeCloseTo(10 * Math.log10((2 * 110) / 111), 3)
  })

  it('under -100 dB is the floor', () => {
    // One of 32,768 steps is -90.3 dB; in one sample of ten -100.3.
    expect(dB(features(repeat(10, 1)).levelDb)).toEqual([-90.31])
    expect(dB(features([1, ...repeat(9, 0)]).levelDb)).toEqual([FLOOR_DB])
    expect(dB(features([1, 1, ...repeat(8, 0)]).levelDb)).toEqual([-97.3])
  })
})

describe('the brightness', () => {
  it('is the power of what changes from sample to sample against all of it', () => {
    const { brightnessDb } = features([
      ...repeat(5, 1000, -1000),
      ...repeat(5, 1000, -1000),
      ...repeat(10, -1000),
    ])
    // Each change is twice the sample, so four times its power; the very first sample has none before it.
    expect(dB(brightnessDb)).toEqual([5.56, 6.02, FLOOR_DB])
  })

  it('looks back at the last sample of the frame before', () => {
    const { brightnessDb } = features([...repeat(10, 2000), ...repeat(10, 1000)])
    // One change of 1,000 in ten samples of 1,000.
    expect(dB(brightnessDb)).toEqual([FLOOR_DB, -10])
  })

  it('of nothing is 0', () => {
    expect(dB(features([...repeat(10, 500), ...repeat(10, 0)]).brightnessDb)).toEqual([FLOOR_DB, 0])
  })
})

describe('a slice', () => {
  const whole = {
    startSeconds: 2,
    levelDb: Float32Array.from({ length: 10 }, (_, index) => -index),
    brightnessDb: Float32Array.from({ length: 10 }, (_, index) => index),
  }
  const frames = (from: number, to: number) => {
    const { startSeconds, levelDb, brightnessDb } = sliceFeatures(whole, from, to)
    expect([...(brightnessDb ?? [])]).toEqual([...levelDb].map((level) => Math.abs(level)))
    return [Math.round(startSeconds * 1000) / 1000, ...levelDb]
  }

  it('has every frame that it touches', () => {
    expect(frames(2.02, 2.05)).toEqual([2.02, -2, -3, -4])
    expect(frames(2.025, 2.041)).toEqual([2.02, -2, -3, -4])
  })

  it('ends where the features end, on both sides', () => {
    expect(frames(0, 2.02)).toEqual([2, -0, -1])
    expect(frames(2.08, 9)).toEqual([2.08, -8, -9])
    expect(frames(2.05, 2.03)).toEqual([2.05])
    expect(frames(7, 9)).toEqual([2.1])
  })

  it('has no brightness where there is none', () => {
    const { startSeconds, levelDb } = whole
    expect(sliceFeatures({ startSeconds, levelDb }, 2, 3)).not.toHaveProperty('brightnessDb')
  })
})

it('finds the value at a share of the sorted ones', () => {
  const values = Float32Array.from([4, 1, 3, 2])
  expect([0, 0.24, 0.25, 0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 1, 2, 3, 4, 4])
  expect([...values]).toEqual([4, 1, 3, 2])
  expect(percentile(new Float32Array(), 0.5)).toBe(FLOOR_DB)
})
