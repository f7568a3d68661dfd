/** PURE. Measures roughly how high a voice is, which is enough to distinguish a lively voice from a flat one. */

/** Seconds between two values. */
export const PITCH_HOP_SECONDS = 0.1
const LOWEST_HERTZ = 70
const HIGHEST_HERTZ = 400
/** Four samples become one: a quarter of 16 kHz is enough for the pitch of a voice, at a sixteenth of the cost. */
const DECIMATION = 4
const WINDOW_SECONDS = 0.05
/** Minimum autocorrelation after one period. */
const MIN_CORRELATION = 0.6
/** RMS of 16-bit samples below which there is no voice. */
const MIN_RMS = 60

/** Pitch in Hz for each hop of these 16-bit mono samples, 0 without a voice. */
export function pitchesOf(samples: Int16Array, sampleRate: number): Float32Array {
  const low = decimate(samples)
  const rate = sampleRate / DECIMATION
  const hops = Math.floor(samples.length / sampleRate / PITCH_HOP_SECONDS)
  return Float32Array.from({ length: hops }, (_, hop) =>
    measurePitch(low, Math.round(hop * PITCH_HOP_SECONDS * rate), rate),
  )
}

function decimate(samples: Int16Array): Float32Array {
  const low = new Float32Array(Math.floor(samples.length / DECIMATION))
  for (let index = 0; index < low.length; index += 1) {
    let sum = 0
    for (let part = 0; part < DECIMATION; part += 1) sum += samples[index * DECIMATION + part] ?? 0
    low[index] = sum / DECIMATION
  }
  return low
}

function measurePitch(low: Float32Array, from: number, rate: number): number {
  const size = Math.round(WINDOW_SECONDS * rate)
  const shortest = Math.floor(rate / HIGHEST_HERTZ)
  const longest = Math.ceil(rate / LOWEST_HERTZ)
  if (from + size + longest + 1 > low.length) return 0
  if (Math.sqrt(sumProducts(low, from, 0, size) / size) < MIN_RMS) return 0
  const likeness = new Float32Array(longest + 2)
  let best = 0
  for (let lag = shortest - 1; lag <= longest + 1; lag += 1) {
    const energy = Math.sqrt(sumProducts(low, from, 0, size) * sumProducts(low, from + lag, 0, size))
    likeness[lag] = energy === 0 ? 0 : sumProducts(low, from, lag, size) / energy
    if (lag >= shortest && lag <= longest) best = Math.max(best, likeness[lag] ?? 0)
  }
  if (best < MIN_CORRELATION) return 0
  // The first peak that is nearly the best; later ones are multiples of the period.
  for (let lag = shortest; lag <= longest; lag += 1) {
    const before = likeness[lag - 1] ?? 0
    const here = likeness[lag] ?? 0
    const after = likeness[lag + 1] ?? 0
    if (here < best * 0.88 || here < before || here < after) continue
    const bend = before - 2 * here + after
    return rate / (lag + (bend === 0 ? 0 : (before - after) / (2 * bend)))
  }
  return 0
}

function sumProducts(low: Float32Array, from: number, lag: number, size: number): number {
  let sum = 0
  for (let index = from; index < from + size; index += 1) sum += (low[index] ?? 0) * (low[index + lag] ?? 0)
  return sum
}
