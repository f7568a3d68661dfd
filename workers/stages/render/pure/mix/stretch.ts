/**
 * Another speed at the same pitch, as ffmpeg's `atempo` does it: windows of the sound are laid over each other where they
 * match best (WSOLA; Verhelst and Roelands, "An overlap-add technique based on waveform similarity", ICASSP 1993).
 */
import FFT from 'fft.js'
import type { Stereo } from './stereo.ts'

/** Samples of a window at 48 kHz, and from one to the next. */
const WINDOW = 2048
const HOP = WINDOW / 2
const HANN = Float64Array.from(
  { length: WINDOW },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / (WINDOW - 1)),
)
/** `atempo` goes at most so fast, and at least so slow; other rates take several passes. */
const FASTEST = 2
const SLOWEST = 0.5

/** The sound `rate` times as fast. */
export function stretch(sound: Stereo, rate: number): Stereo {
  if (rate > FASTEST) return stretch(stretchOnce(sound, FASTEST), rate / FASTEST)
  if (rate < SLOWEST) return stretch(stretchOnce(sound, SLOWEST), rate / SLOWEST)
  return rate === 1 ? sound : stretchOnce(sound, rate)
}

function stretchOnce({ left, right }: Stereo, tempo: number): Stereo {
  const length = Math.round(left.length / tempo)
  const result = { left: new Float32Array(length), right: new Float32Array(length) }
  const mono = left.map((value, at) => {
    const other = right[at] ?? 0
    return Math.abs(value) > Math.abs(other) ? value : other
  })
  const match = createMatcher(mono)
  let input = -HOP
  for (let output = -HOP; output < length; output += HOP) {
    if (output > -HOP) {
      const before = input
      const drift = Math.trunc(output * tempo - (before + HOP) - 0)
      input = before + Math.trunc(tempo * HOP)
      input -= match(before, input, drift)
    }
    add(result.left, left, input, output)
    add(result.right, right, input, output)
  }
  return result
}

function add(target: Float32Array, samples: Float32Array, from: number, to: number): void {
  for (let at = Math.max(0, -to); at < Math.min(WINDOW, target.length - to); at++)
    target[to + at] = (target[to + at] ?? 0) + (samples[from + at] ?? 0) * (HANN[at] ?? 0)
}

/** Finds by how much a window should begin earlier, so that it continues the one before. */
function createMatcher(mono: Float32Array) {
  const fft = new FFT(2 * WINDOW)
  const spectrumAt = (from: number): number[] => {
    const samples = new Array<number>(2 * WINDOW).fill(0)
    for (let at = 0; at < WINDOW; at++) samples[at] = mono[from + at] ?? 0
    const spectrum = fft.createComplexArray()
    fft.realTransform(spectrum, samples)
    fft.completeSpectrum(spectrum)
    return spectrum
  }
  return (before: number, now: number, drift: number): number => {
    const a = spectrumAt(before)
    const b = spectrumAt(now)
    const product = fft.createComplexArray()
    for (let at = 0; at < product.length; at += 2) {
      const re = a[at] ?? 0
      const im = a[at + 1] ?? 0
      const otherRe = b[at] ?? 0
      const otherIm = b[at + 1] ?? 0
      product[at] = re * otherRe + im * otherIm
      product[at + 1] = im * otherRe - re * otherIm
    }
    const correlation = fft.createComplexArray()
    fft.inverseTransform(correlation, product)
    const first = Math.min(WINDOW, Math.max(-drift, 0))
    const last = Math.max(0, Math.min(WINDOW - drift, WINDOW - WINDOW / 16))
    let best = -drift
    let highest = -Infinity
    for (let at = first; at < last; at++) {
      const metric = (correlation[2 * at] ?? 0) * (drift + at) * (at - first) * (last - at)
      if (metric > highest) {
        highest = metric
        best = at - HOP
      }
    }
    return best
  }
}
