/** How a voice sounds: mean and covariance of the mel cepstra while it speaks alone. PURE. */
import FFT from 'fft.js'

export const FRAME = 512
export const HOP = 256
const BANDS = 28
export const CEPSTRA = 19
const LOWEST_HZ = 60
const HIGHEST_HZ = 7000

/** Cepstra of 16 kHz sound, one row of 19 values per hop of 256 samples. The first value is the level: 28 per factor of e in power. */
export function cepstra(samples: Int16Array): Float32Array {
  const rows = Math.max(0, Math.floor((samples.length - FRAME) / HOP) + 1)
  const result = new Float32Array(rows * CEPSTRA)
  const input = new Array<number>(FRAME).fill(0)
  const fft = new FFT(FRAME)
  const spectrum = fft.createComplexArray()
  const bands = new Float32Array(BANDS)
  for (let row = 0; row < rows; row += 1) {
    for (let at = 0; at < FRAME; at += 1)
      input[at] =
        ((samples[row * HOP + at] ?? 0) / 32768) * (0.5 - 0.5 * Math.cos((2 * Math.PI * at) / FRAME))
    fft.realTransform(spectrum, input)
    bands.fill(0)
    for (const { bin, band, share } of WEIGHTS) {
      const real = spectrum[bin * 2] ?? 0
      const imaginary = spectrum[bin * 2 + 1] ?? 0
      bands[band] = (bands[band] ?? 0) + share * (real * real + imaginary * imaginary)
    }
    for (let band = 0; band < BANDS; band += 1) bands[band] = Math.log((bands[band] ?? 0) + 1e-8)
    for (let order = 0; order < CEPSTRA; order += 1) {
      let sum = 0
      for (let band = 0; band < BANDS; band += 1)
        sum += (bands[band] ?? 0) * Math.cos((Math.PI * order * (band + 0.5)) / BANDS)
      result[row * CEPSTRA + order] = sum
    }
  }
  return result
}

const mel = (hz: number): number => 2595 * Math.log10(1 + hz / 700)

/** Weight of each bin in each band: triangles, evenly spaced on the mel scale. */
const WEIGHTS = Array.from({ length: FRAME / 2 }, (_, bin) => bin).flatMap((bin) => {
  const hz = (bin * 16_000) / FRAME
  const place = ((mel(hz) - mel(LOWEST_HZ)) / (mel(HIGHEST_HZ) - mel(LOWEST_HZ))) * (BANDS + 1) - 1
  return [Math.floor(place), Math.floor(place) + 1].flatMap((band) => {
    const share = 1 - Math.abs(place - band)
    return band >= 0 && band < BANDS && share > 0 ? [{ bin, band, share }] : []
  })
})

/** The level is left out, because somebody who moves away from the microphone is still the same person. */
const ORDERS = CEPSTRA - 1
const PAIRS = (ORDERS * (ORDERS + 1)) / 2
/** Number of parameters of a voice: mean and covariance. */
export const FREE_NUMBERS = ORDERS + PAIRS

/** Sums from which mean and covariance are computed. */
export interface VoiceSum {
  count: number
  readonly sum: Float64Array
  /** Row by row up to the diagonal. */
  readonly products: Float64Array
}

export const noVoice = (): VoiceSum => ({
  count: 0,
  sum: new Float64Array(ORDERS),
  products: new Float64Array(PAIRS),
})

export function addFrame(to: VoiceSum, rows: Float32Array, row: number): void {
  to.count += 1
  const first = row * CEPSTRA + 1
  for (let a = 0, pair = 0; a < ORDERS; a += 1) {
    const value = rows[first + a] ?? 0
    to.sum[a] = (to.sum[a] ?? 0) + value
    for (let b = 0; b <= a; b += 1, pair += 1)
      to.products[pair] = (to.products[pair] ?? 0) + value * (rows[first + b] ?? 0)
  }
}

export function joined(a: VoiceSum, b: VoiceSum): VoiceSum {
  return {
    count: a.count + b.count,
    sum: a.sum.map((value, at) => value + (b.sum[at] ?? 0)),
    products: a.products.map((value, at) => value + (b.products[at] ?? 0)),
  }
}

/** A normal distribution of cepstra. */
export interface Voice {
  readonly mean: Float64Array
  /** Lower triangle whose product with its transpose is the covariance, row by row. */
  readonly factor: Float64Array
  readonly logDeterminant: number
}

/** Weight, in frames, of the recording's usual covariance besides that of the voice. */
const PRIOR_FRAMES = 10

/** `usual`: the sums of all speech (not empty), which stabilise voices with little speech. */
export function voiceOf(sums: VoiceSum, usual: VoiceSum): Voice {
  const mean = sums.sum.map((value) => value / Math.max(1, sums.count))
  const own = sums.count / (sums.count + PRIOR_FRAMES)
  const factor = new Float64Array(PAIRS)
  let logDeterminant = 0
  for (let a = 0, pair = 0; a < ORDERS; a += 1) {
    for (let b = 0; b <= a; b += 1, pair += 1) {
      let rest = own * covariance(sums, a, b, pair) + (1 - own) * covariance(usual, a, b, pair)
      for (let k = 0; k < b; k += 1) rest -= (factor[findPlace(a, k)] ?? 0) * (factor[findPlace(b, k)] ?? 0)
      if (a === b) logDeterminant += Math.log(Math.max(MIN_VARIANCE, rest))
      factor[pair] = a === b ? Math.sqrt(Math.max(MIN_VARIANCE, rest)) : rest / (factor[findPlace(b, b)] ?? 1)
    }
  }
  return { mean, factor, logDeterminant }
}

const MIN_VARIANCE = 1e-6
const findPlace = (a: number, b: number): number => (a * (a + 1)) / 2 + b

function covariance({ count, sum, products }: VoiceSum, a: number, b: number, pair: number): number {
  const frames = Math.max(1, count)
  return (products[pair] ?? 0) / frames - ((sum[a] ?? 0) / frames) * ((sum[b] ?? 0) / frames)
}

const away = new Float64Array(ORDERS)

/** How well a frame fits a voice: the log-likelihood without terms that are equal for all voices. */
export function fitOf({ mean, factor, logDeterminant }: Voice, rows: Float32Array, row: number): number {
  let sum = 0
  for (let a = 0; a < ORDERS; a += 1) {
    let rest = (rows[row * CEPSTRA + 1 + a] ?? 0) - (mean[a] ?? 0)
    for (let b = 0; b < a; b += 1) rest -= (factor[findPlace(a, b)] ?? 0) * (away[b] ?? 0)
    const value = rest / (factor[findPlace(a, a)] ?? 1)
    away[a] = value
    sum += value * value
  }
  return -0.5 * (sum + logDeterminant)
}

/** The volume that the frames take up, summed over frames, so that two voices can be compared with their union. */
export function spreadOf(sums: VoiceSum, usual: VoiceSum): number {
  return sums.count * voiceOf(sums, usual).logDeterminant
}
