import { describe, expect, it } from 'vitest'
import { limitPeaks } from './limit.ts'
import { measureLoudness } from './loudness.ts'
import { SAMPLE_RATE } from './mix.ts'
import type { Stereo } from './stereo.ts'
import { stretch } from './stretch.ts'

const sine = (amplitude: number, hertz: number, seconds: number): Stereo => {
  const left = Float32Array.from(
    { length: seconds * SAMPLE_RATE },
    (_, at) => amplitude * Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE),
  )
  return { left, right: left.slice() }
}
const level = (samples: Float32Array): number =>
  10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)

describe('the sound of a clip as samples', () => {
  it('measures a sine of -23 dBFS at 1 kHz as -23 LUFS (EBU Tech 3341, case 1), and silence as none', () => {
    const { integratedLufs, truePeakDb } = measureLoudness(sine(10 ** (-23 / 20), 1000, 4))
    expect(Math.abs((integratedLufs ?? 0) + 23)).toBeLessThanOrEqual(0.1)
    expect(Math.abs((truePeakDb ?? 0) + 23)).toBeLessThanOrEqual(0.1)
    expect(measureLoudness(sine(0, 1000, 1))).toEqual({ integratedLufs: null, truePeakDb: null })
  })

  it('finds peaks between samples', () => {
    // A quarter of the sample rate, half way between its peaks: 3 dB over its samples.
    const left = Float32Array.from({ length: SAMPLE_RATE }, (_, at) => (at % 4 < 2 ? 0.5 : -0.5))
    expect(measureLoudness({ left, right: left }).truePeakDb).toBeCloseTo(-3, 0)
  })

  it('holds peaks under the ceiling and leaves what is far from them alone', () => {
    const sound = sine(0.25, 500, 1)
    sound.left[24_000] = 1
    const before = sound.left[1000]
    limitPeaks(sound, 0.5)
    expect(Math.max(...sound.left.map(Math.abs))).toBeLessThanOrEqual(0.5)
    expect(sound.left[1000]).toBe(before)
    expect(sound.left.at(-1)).toBeCloseTo(0.25 * Math.sin((2 * Math.PI * 500 * 47_999) / SAMPLE_RATE), 6)
  })

  it.each([0.25, 0.8, 1.5, 4])('plays %d times as fast at the same pitch and level', (rate) => {
    const sound = sine(0.3, 440, 3)
    const { left } = stretch(sound, rate)
    expect(Math.abs(left.length - sound.left.length / rate)).toBeLessThanOrEqual(2)
    const middle = left.subarray(9600, left.length - 9600)
    expect(level(middle)).toBeCloseTo(level(sound.left), 0)
    const crossings = middle.filter((value, at) => at > 0 && value >= 0 && (middle[at - 1] ?? 0) < 0).length
    expect(Math.abs((crossings * SAMPLE_RATE) / middle.length - 440)).toBeLessThan(5)
  })
})
