import { describe, expect, it } from 'vitest'
import type { SoundCleaning } from '../../../../../server/contract/composition.ts'
import { secondsToTicks } from '../../../../../server/contract/time.ts'
import type { Stereo } from '../mix/stereo.ts'
import { cleanSound, createCleaner, createListener } from './clean-sound.ts'
import { exponentialIntegral } from './noise.ts'
import { BINS, createSpectralFilter } from './spectral-filter.ts'
import { createVoiceGains, gainCurve } from './voices.ts'

const RATE = 48_000
const OFF: SoundCleaning = { noise: 'off', hum: false, reverb: false }

/** Evenly distributed from -1 to 1, the same each time. */
function noise(samples: number, size: number, seed = 1): Float32Array {
  let state = seed
  return Float32Array.from({ length: samples }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return size * (state / 2 ** 31 - 1)
  })
}
const wave = (samples: number, hertz: number, size: number): Float32Array =>
  Float32Array.from({ length: samples }, (_, at) => size * Math.sin((2 * Math.PI * hertz * at) / RATE))
const sum = (one: Float32Array, other: Float32Array): Float32Array =>
  one.map((value, at) => value + (other[at] ?? 0))
const both = (left: Float32Array): Stereo => ({ left, right: left.slice() })
function level(samples: Float32Array, from = 0, to = samples.length / RATE): number {
  const part = samples.subarray(from * RATE, to * RATE)
  return 10 * Math.log10(part.reduce((total, value) => total + value * value, 1e-20) / part.length)
}
/** A tone that comes and goes like syllables, six a second. */
const syllables = (samples: number): Float32Array =>
  wave(samples, 700, 0.4).map((value, at) => value * Math.max(0, Math.sin((2 * Math.PI * 3 * at) / RATE)))

describe('a filter of spectra', () => {
  it.each([1, 511, 512, 2048, 50_001])('gives %d samples back as they were, in their place', (length) => {
    const sound = { left: noise(length, 0.5), right: noise(length, 0.5, 7) }
    const filter = createSpectralFilter((_power, gains) => void gains.fill(1))
    const parts: Stereo[] = []
    for (let at = 0; at < length; at += 700)
      parts.push(
        filter.push({ left: sound.left.subarray(at, at + 700), right: sound.right.subarray(at, at + 700) }),
      )
    parts.push(filter.flush())
    for (const side of ['left', 'right'] as const) {
      const given = parts.flatMap((part) => [...part[side]])
      expect(given).toHaveLength(length)
      expect(Math.max(...given.map((value, at) => Math.abs(value - (sound[side][at] ?? 0))))).toBeLessThan(
        1e-5,
      )
    }
  })

  it('hears the power of each frequency', () => {
    const heard = new Float64Array(BINS)
    const filter = createSpectralFilter((power, gains, whole) => {
      if (whole) power.forEach((value, bin) => (heard[bin] = (heard[bin] ?? 0) + value))
      gains.fill(1)
    })
    filter.push({ left: wave(RATE, 3000, 0.5), right: new Float32Array(RATE) })
    expect(heard.indexOf(Math.max(...heard))).toBe(Math.round((3000 * 2048) / RATE))
  })
})

describe('cleaned sound', () => {
  const length = 6 * RATE
  const voice = syllables(length)

  it('is exactly as it was where nothing is asked for, whatever the pieces', () => {
    const sound = both(noise(10_000, 0.3))
    expect(cleanSound(sound, OFF)).toEqual(sound)
  })

  it('has the same samples however it is given', () => {
    const cleaning: SoundCleaning = { noise: 'light', hum: true, reverb: true }
    const sound = both(sum(voice, noise(length, 0.02)).subarray(0, 2 * RATE))
    const whole = cleanSound(sound, cleaning)
    const listener = createListener(cleaning)
    listener.push(sound)
    const cleaner = createCleaner(cleaning, listener.finish())
    const given = [cleaner.push(sound), cleaner.flush()].map(({ left }) => left)
    expect(given.reduce((samples, { length: more }) => samples + more, 0)).toBe(whole.left.length)
    let at = 0
    for (const part of given) {
      expect(part.every((value, index) => value === whole.left[at + index])).toBe(true)
      at += part.length
    }
    expect(whole.left).toHaveLength(sound.left.length)
  })

  it.each([
    ['light', -7],
    ['strong', -12],
  ] as const)('has less noise in pauses, and its voice (%s)', (strength, less) => {
    const pausing = voice.map((value, at) => (at % (2 * RATE) < RATE ? value : 0))
    const noisy = both(sum(pausing, noise(length, 0.02)))
    const { left } = cleanSound(noisy, { ...OFF, noise: strength })
    expect(level(left, 3.2, 3.9) - level(noisy.left, 3.2, 3.9)).toBeLessThan(less)
    expect(Math.abs(level(left, 4.1, 4.9) - level(pausing, 4.1, 4.9))).toBeLessThan(1)
  })

  it.each([50, 60])('has no hum of %d Hz, from its beginning on', (mains) => {
    const hum = [1, 2, 3, 5].map((harmonic) => wave(length, (mains + 0.03) * harmonic, 0.05 / harmonic))
    const all = hum.reduce(sum)
    const { left } = cleanSound(both(sum(noise(length, 0.001), all)), { ...OFF, hum: true })
    expect(level(left, 0, 0.2)).toBeLessThan(level(all, 0, 0.2) - 15)
    expect(level(left, 1, 5)).toBeLessThan(level(all, 1, 5) - 25)
  })

  it('is as it was where nothing hums', () => {
    const sound = both(sum(voice, noise(length, 0.02)))
    expect(cleanSound(sound, { ...OFF, hum: true })).toEqual(sound)
  })

  it('has a shorter tail of the room', () => {
    const dry = new Float32Array(length)
    for (const start of [1, 3]) dry.set(noise(RATE / 4, 0.5, start), start * RATE)
    const tail = noise(RATE, 1, 9).map((value, at) => value * 10 ** ((-3 * at) / RATE / 0.6))
    const wet = dry.slice()
    // The tail of each burst, drawn as one that dies away.
    for (const start of [1.25, 3.25])
      for (let at = 0; at < RATE; at++)
        wet[start * RATE + at] = (wet[start * RATE + at] ?? 0) + 0.15 * (tail[at] ?? 0)
    const { left } = cleanSound(both(wet), { ...OFF, reverb: true })
    const gain = (from: number, to: number): number => level(left, from, to) - level(wet, from, to)
    expect(gain(3.4, 3.7)).toBeLessThan(-3)
    expect(gain(3.02, 3.2)).toBeGreaterThan(-2)
  })

  it('has its voices at one loudness, and each at one gain', () => {
    const quiet = voice.map((value, at) => value * (at < 3 * RATE ? 1 : 0.4))
    const turns = [
      { speaker: 0, start: 0, end: secondsToTicks(2.9) },
      { speaker: 1, start: secondsToTicks(3.05), end: secondsToTicks(6) },
    ]
    const { left } = cleanSound(both(quiet), { ...OFF, turns })
    expect(Math.abs(level(left, 0, 2) - level(left, 4, 6))).toBeLessThan(0.5)
    const gain = (second: number): number =>
      level(left, second, second + 0.5) - level(quiet, second, second + 0.5)
    expect(gain(0)).toBeCloseTo(gain(2), 5)
    expect(gain(3.5)).toBeCloseTo(gain(5.5), 5)
  })
})

describe('gains of voices', () => {
  const turns = [
    { speaker: 0, from: 0, to: 1000 },
    { speaker: 1, from: 30_000, to: 60_000 },
    { speaker: 2, from: 61_000, to: 90_000 },
  ]
  it('go to their mean, by no more than is sensible, and leave who was not measured', () => {
    const curve = gainCurve(
      turns,
      new Map([
        [0, -20],
        [1, -50],
      ]),
    )
    expect(curve.map(({ decibels }) => decibels)).toEqual([-9, 9])
  })
  it('do nothing for one voice', () => {
    expect(gainCurve(turns, new Map([[0, -20]]))).toEqual([])
  })
  it('change in the pause before a voice, evenly', () => {
    const sound = both(new Float32Array(60_000).fill(0.1))
    createVoiceGains(
      gainCurve(
        turns,
        new Map([
          [0, -20],
          [1, -26],
        ]),
      ),
    )(sound, 0)
    expect(20 * Math.log10((sound.left[1000] ?? 0) / 0.1)).toBeCloseTo(-3, 3)
    expect(20 * Math.log10((sound.left[30_000] ?? 0) / 0.1)).toBeCloseTo(3, 3)
    const steps = sound.left.map((value, at) => Math.abs(value - (sound.left[at - 1] ?? value)))
    expect(Math.max(...steps)).toBeLessThan(1e-4)
  })
})

it('knows the exponential integral (Abramowitz and Stegun, table 5.1)', () => {
  expect(exponentialIntegral(0.5)).toBeCloseTo(0.5597735948, 8)
  expect(exponentialIntegral(1)).toBeCloseTo(0.2193839344, 8)
  expect(exponentialIntegral(5)).toBeCloseTo(0.001148295591, 8)
})
