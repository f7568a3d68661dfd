/**
 * The front end `fbank-80`: Kaldi's log mel filter bank with 80 bands, the mean of each band over the piece taken off, as WeSpeaker and
 * 3D-Speaker (CAM++) models are trained (wespeaker/bin/infer_onnx.py: 25 ms, 10 ms, Hamming, no dither). PURE.
 */
import FFT from 'fft.js'
import type { FrontEnd } from './front-end.ts'

const RATE = 16_000
const WINDOW = 400
const HOP = 160
const SIZE = 512
const BANDS = 80
const LOWEST_HZ = 20
const PRE_EMPHASIS = 0.97
/** Samples are in the range of 16-bit integers there. */
const FULL_SCALE = 32_768
/** The least difference from 1 of a 32-bit number: the floor of an energy. */
const LEAST_ENERGY = 1.192_092_9e-7

const mel = (hz: number): number => 1127 * Math.log(1 + hz / 700)

/** Triangles that are even on the mel scale; the highest bin (8 kHz) has no weight. */
const WEIGHTS = Array.from({ length: BANDS }, (_, band) => {
  const low = mel(LOWEST_HZ)
  const step = (mel(RATE / 2) - low) / (BANDS + 1)
  const left = low + band * step
  return Array.from({ length: SIZE / 2 }, (__, bin) => {
    const place = (mel((bin * RATE) / SIZE) - left) / step
    return { bin, weight: Math.min(place, 2 - place) }
  }).filter(({ weight }) => weight > 0)
})

const HAMMING = Float64Array.from(
  { length: WINDOW },
  (_, at) => 0.54 - 0.46 * Math.cos((2 * Math.PI * at) / (WINDOW - 1)),
)

/** One row of 80 log energies per 160 samples (10 ms); no row where a window does not fit. */
export const fbank: FrontEnd = {
  width: BANDS,
  window: null,
  usual: null,
  features: (samples) => {
    const rows = Math.max(0, Math.floor((samples.length - WINDOW) / HOP) + 1)
    const result = new Float32Array(rows * BANDS)
    const fft = new FFT(SIZE)
    const spectrum = fft.createComplexArray()
    const input = new Array<number>(SIZE).fill(0)
    for (let row = 0; row < rows; row += 1) {
      fillFrame(input, samples, row * HOP)
      fft.realTransform(spectrum, input)
      WEIGHTS.forEach((weights, band) => {
        let sum = 0
        for (const { bin, weight } of weights)
          sum += weight * ((spectrum[bin * 2] ?? 0) ** 2 + (spectrum[bin * 2 + 1] ?? 0) ** 2)
        result[row * BANDS + band] = Math.log(Math.max(sum, LEAST_ENERGY))
      })
    }
    takeMeansOff(result, rows)
    return result
  },
}

/** A window of samples without its mean, pre-emphasised and weighted; the rest of `input` stays zero. */
function fillFrame(input: number[], samples: Float32Array, first: number): void {
  let mean = 0
  for (let at = 0; at < WINDOW; at += 1) mean += (FULL_SCALE * (samples[first + at] ?? 0)) / WINDOW
  const sample = (at: number): number => FULL_SCALE * (samples[first + Math.max(0, at)] ?? 0) - mean
  for (let at = 0; at < WINDOW; at += 1)
    input[at] = (sample(at) - PRE_EMPHASIS * sample(at - 1)) * (HAMMING[at] ?? 0)
}

function takeMeansOff(rows: Float32Array, count: number): void {
  for (let band = 0; band < BANDS; band += 1) {
    let sum = 0
    for (let row = 0; row < count; row += 1) sum += rows[row * BANDS + band] ?? 0
    const mean = sum / Math.max(1, count)
    for (let at = band; at < rows.length; at += BANDS) rows[at] = (rows[at] ?? 0) - mean
  }
}
