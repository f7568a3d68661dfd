/** How a voice sounds, in a dozen numbers: mel cepstra averaged over the moments in which it is heard alone. PURE. */
import FFT from 'fft.js'

export const FRAME = 512
export const HOP = 256
const BANDS = 26
const CEPSTRA = 13
const LOWEST_HZ = 60
const HIGHEST_HZ = 7000

/** Cepstra of 16 kHz sound, one row of 13 for each hop of 256 samples; the first is the level. */
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
      const [real, imaginary] = [spectrum[bin * 2] ?? 0, spectrum[bin * 2 + 1] ?? 0]
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

/** How much of each bin goes into each band: triangles, evenly spaced on the mel scale. */
const WEIGHTS = Array.from({ length: FRAME / 2 }, (_, bin) => bin).flatMap((bin) => {
  const hz = (bin * 16_000) / FRAME
  const place = ((mel(hz) - mel(LOWEST_HZ)) / (mel(HIGHEST_HZ) - mel(LOWEST_HZ))) * (BANDS + 1) - 1
  return [Math.floor(place), Math.floor(place) + 1].flatMap((band) => {
    const share = 1 - Math.abs(place - band)
    return band >= 0 && band < BANDS && share > 0 ? [{ bin, band, share }] : []
  })
})

/** Sums of cepstra, from which means and spreads are taken. */
export interface CepstraSum {
  count: number
  readonly sum: Float64Array
  readonly squares: Float64Array
}

export const noCepstra = (): CepstraSum => ({
  ...{ count: 0, sum: new Float64Array(CEPSTRA) },
  squares: new Float64Array(CEPSTRA),
})

export function addCepstra(to: CepstraSum, rows: Float32Array, row: number): void {
  to.count += 1
  for (let order = 0; order < CEPSTRA; order += 1) {
    const value = rows[row * CEPSTRA + order] ?? 0
    to.sum[order] = (to.sum[order] ?? 0) + value
    to.squares[order] = (to.squares[order] ?? 0) + value * value
  }
}

/**
 * How differently two voices sound, against how much the cepstra of all speech in this recording vary. The level is left
 * out. 0 is the same; `cluster.ts` has what was measured.
 */
export function voiceDistance(a: CepstraSum, b: CepstraSum, all: CepstraSum): number {
  let sum = 0
  for (let order = 1; order < CEPSTRA; order += 1) {
    const mean = (all.sum[order] ?? 0) / all.count
    const spread = Math.sqrt(Math.max(1e-9, (all.squares[order] ?? 0) / all.count - mean * mean))
    const apart = (a.sum[order] ?? 0) / a.count - (b.sum[order] ?? 0) / b.count
    sum += (apart / spread) ** 2
  }
  return Math.sqrt(sum / (CEPSTRA - 1))
}
