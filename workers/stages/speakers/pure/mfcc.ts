/**
 * The front end `mfcc-40`: mel cepstra as librosa's `feature.mfcc` makes them by default (McFee et al., "librosa", SciPy 2015), with
 * 40 of them, for voice embeddings trained on those. PURE.
 */
import FFT from 'fft.js'
import type { FrontEnd } from './front-end.ts'

const RATE = 16_000
const SIZE = 2048
const HOP = 512
const BANDS = 128
const CEPSTRA = 40
const LEAST_POWER = 1e-10
/** What lies further below the loudest value of the piece is raised to that, dB. */
const RANGE_DB = 80

/** Slaney's mel scale: linear below 1000 Hz, logarithmic above. */
const LOG_STEP = Math.log(6.4) / 27
const hertz = (mel: number): number => (mel < 15 ? (mel * 200) / 3 : 1000 * Math.exp((mel - 15) * LOG_STEP))
const HIGHEST_MEL = 15 + Math.log(RATE / 2 / 1000) / LOG_STEP

/** Triangles of area one: for each band its first bin and the weights from there on. */
const WEIGHTS = Array.from({ length: BANDS }, (_, band) => {
  const edge = (index: number): number => hertz((HIGHEST_MEL * (band + index)) / (BANDS + 1))
  const left = edge(0)
  const middle = edge(1)
  const right = edge(2)
  const first = Math.floor((left * SIZE) / RATE) + 1
  const last = Math.ceil((right * SIZE) / RATE) - 1
  const weights = Float64Array.from({ length: last - first + 1 }, (__, at) => {
    const place = ((first + at) * RATE) / SIZE
    const height = Math.min((place - left) / (middle - left), (right - place) / (right - middle))
    return (height * 2) / (right - left)
  })
  return { first, weights }
})

const HANN = Float64Array.from({ length: SIZE }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / SIZE))

/** The orthonormal cosine transform (type II), row by row. */
const COSINES = Float64Array.from({ length: CEPSTRA * BANDS }, (_, at) => {
  const order = Math.floor(at / BANDS)
  const scale = Math.sqrt((order === 0 ? 1 : 2) / BANDS)
  return scale * Math.cos((Math.PI * order * ((at % BANDS) + 0.5)) / BANDS)
})

/** Means over ten readers of LibriSpeech (test-other) at the level that pieces are brought to. */
// prettier-ignore
const USUAL = [
  -310.2, 59.28, 1.8, 25.94, -1.08, 1.11, -9.9, -1.99, -4.24, -1.87, -1.69, -1.8, 0.83, -1.96, -1.62, 0.28, -1.06, 0.49, -1.12, -1.19, -1.48, -0.2, 0.27, 0.51, 0.76, 1.65, 1.5, 1.03, 0.96, 1.28, 1, 1.16, 1.08, 1.41, 0.26, 1.02, 0.29, 0.55, -0.08, 0.76,
]

/** One row of 40 cepstra per 512 samples (32 ms), the first one centred on the first sample. */
export const mfcc: FrontEnd = {
  width: CEPSTRA,
  window: { rows: 100, hop: 50 },
  usual: USUAL,
  features: (samples) => {
    const rows = Math.floor(samples.length / HOP) + 1
    const bands = bandLevels(samples, rows)
    let loudest = -Infinity
    for (const level of bands) loudest = Math.max(loudest, level)
    const result = new Float32Array(rows * CEPSTRA)
    for (let row = 0; row < rows; row += 1)
      for (let order = 0; order < CEPSTRA; order += 1) {
        let sum = 0
        for (let band = 0; band < BANDS; band += 1)
          sum +=
            Math.max(bands[row * BANDS + band] ?? 0, loudest - RANGE_DB) *
            (COSINES[order * BANDS + band] ?? 0)
        result[row * CEPSTRA + order] = sum
      }
    return result
  },
}

/** Levels of the mel bands in dB, row by row; zeros are put before and after the samples. */
function bandLevels(samples: Float32Array, rows: number): Float64Array {
  const levels = new Float64Array(rows * BANDS)
  const fft = new FFT(SIZE)
  const spectrum = fft.createComplexArray()
  const input = new Array<number>(SIZE).fill(0)
  const power = new Float64Array(SIZE / 2 + 1)
  for (let row = 0; row < rows; row += 1) {
    const first = row * HOP - SIZE / 2
    for (let at = 0; at < SIZE; at += 1) input[at] = (samples[first + at] ?? 0) * (HANN[at] ?? 0)
    fft.realTransform(spectrum, input)
    for (let bin = 0; bin < power.length; bin += 1)
      power[bin] = (spectrum[bin * 2] ?? 0) ** 2 + (spectrum[bin * 2 + 1] ?? 0) ** 2
    WEIGHTS.forEach(({ first: bin, weights }, band) => {
      let sum = 0
      for (let at = 0; at < weights.length; at += 1) sum += (weights[at] ?? 0) * (power[bin + at] ?? 0)
      levels[row * BANDS + band] = 10 * Math.log10(Math.max(sum, LEAST_POWER))
    })
  }
  return levels
}
