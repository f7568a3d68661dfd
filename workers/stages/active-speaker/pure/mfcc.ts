/**
 * Mel-frequency cepstra as active speaker models were trained on them: the defaults of python_speech_features 0.6 (J. Lyons),
 * https://github.com/jameslyons/python_speech_features. PURE.
 */
import FFT from 'fft.js'

const RATE = 16_000
const FRAME = 400
const HOP = 160
const FFT_SIZE = 512
const FILTERS = 26
const PRE_EMPHASIS = 0.97
const LIFTER = 22
/** Numbers in a row. */
export const CEPSTRA = 13
/** numpy's float64 epsilon, in place of a power of 0. */
const EPSILON = 2 ** -52

/** Where each triangle of the mel filters begins, peaks and ends, in bins of the spectrum; evenly spaced in mel up to 8 kHz. */
const EDGES = Array.from({ length: FILTERS + 2 }, (_, edge) => {
  const mel = (edge * 2595 * Math.log10(1 + RATE / 2 / 700)) / (FILTERS + 1)
  return Math.floor(((FFT_SIZE + 1) * 700 * (10 ** (mel / 2595) - 1)) / RATE)
})

/** Orthonormal DCT-II with the lifter in it, row by row. */
const COSINES = Float64Array.from({ length: CEPSTRA * FILTERS }, (_, place) => {
  const order = Math.floor(place / FILTERS)
  const filter = place % FILTERS
  const norm = Math.sqrt((order === 0 ? 1 : 2) / FILTERS)
  const lift = 1 + (LIFTER / 2) * Math.sin((Math.PI * order) / LIFTER)
  return norm * lift * Math.cos((Math.PI * order * (filter + 0.5)) / FILTERS)
})

/**
 * Rows of 13 numbers, one per 10 ms, of 16 kHz sound (16-bit sample values). Row `n` covers 25 ms from `n` times 10 ms on;
 * what is missing at the end is silence. The first number of a row is the logarithm of its energy.
 */
export function computeMfcc(samples: Int16Array): Float32Array {
  const rows = samples.length === 0 ? 0 : 1 + Math.max(0, Math.ceil((samples.length - FRAME) / HOP))
  const result = new Float32Array(rows * CEPSTRA)
  const fft = new FFT(FFT_SIZE)
  const input = new Array<number>(FFT_SIZE).fill(0)
  const spectrum = fft.createComplexArray()
  const powers = new Float64Array(FFT_SIZE / 2 + 1)
  const logs = new Float64Array(FILTERS)
  for (let row = 0; row < rows; row += 1) {
    for (let at = 0; at < FRAME; at += 1) {
      const place = row * HOP + at
      const before = place === 0 ? 0 : (samples[place - 1] ?? 0)
      input[at] = place < samples.length ? (samples[place] ?? 0) - PRE_EMPHASIS * before : 0
    }
    fft.realTransform(spectrum, input)
    let energy = 0
    for (let bin = 0; bin < powers.length; bin += 1) {
      const power = ((spectrum[bin * 2] ?? 0) ** 2 + (spectrum[bin * 2 + 1] ?? 0) ** 2) / FFT_SIZE
      powers[bin] = power
      energy += power
    }
    for (let filter = 0; filter < FILTERS; filter += 1) logs[filter] = Math.log(filtered(powers, filter))
    for (let order = 1; order < CEPSTRA; order += 1) {
      let sum = 0
      for (let filter = 0; filter < FILTERS; filter += 1)
        sum += (logs[filter] ?? 0) * (COSINES[order * FILTERS + filter] ?? 0)
      result[row * CEPSTRA + order] = sum
    }
    result[row * CEPSTRA] = Math.log(energy === 0 ? EPSILON : energy)
  }
  return result
}

/** The power under one triangle. */
function filtered(powers: Float64Array, filter: number): number {
  const [from = 0, peak = 0, to = 0] = EDGES.slice(filter, filter + 3)
  let sum = 0
  for (let bin = from; bin < peak; bin += 1) sum += ((bin - from) / (peak - from)) * (powers[bin] ?? 0)
  for (let bin = peak; bin < to; bin += 1) sum += ((to - bin) / (to - peak)) * (powers[bin] ?? 0)
  return sum === 0 ? EPSILON : sum
}
