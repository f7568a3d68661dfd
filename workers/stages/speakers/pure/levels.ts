/** Evens levels out before the segmentation, which misses a soft voice beside a loud one. PURE. */

export const BLOCK_SECONDS = 0.1
/** A level holds for so many blocks to each side, and the gain is the mean of so many. */
const HOLD = 5
const SMOOTH = 3
/** The level that others are raised to: all but this share of the blocks are below. */
const LOUD_SHARE = 0.05
/** What is this much softer than the loud (a factor of amplitude: 20 dB) is raised no further, because it may be noise. */
const SOFTEST = 10 ** (-20 / 20)
/** Half of the difference in level is evened out, counted in dB. */
const SHARE = 0.5
/** The level of noise: this share of the blocks are below, as the pauses of speech are. */
const NOISE_SHARE = 0.1
/** What is at most so many times louder than the noise is not raised, and from the second factor on it is raised in full. */
const NOISE = 2
const ABOVE_NOISE = 4

/** Root mean square of each tenth of a second; `samples`: 16 kHz, a whole number of blocks except at the end of the sound. */
export function blockLevels(samples: Int16Array, rate: number): Float32Array {
  const size = Math.round(BLOCK_SECONDS * rate)
  return Float32Array.from({ length: Math.ceil(samples.length / size) }, (_, block) => {
    const part = samples.subarray(block * size, (block + 1) * size)
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, part.length))
  })
}

/** The gain of each block. `levels`: those of the whole sound. */
export function gainsOf(levels: Float32Array): Float32Array {
  const sorted = levels.toSorted()
  const levelAt = (share: number): number => sorted[Math.floor(share * (levels.length - 1))] ?? 0
  const loud = levelAt(1 - LOUD_SHARE)
  if (loud === 0) return levels.map(() => 1)
  const noise = levelAt(NOISE_SHARE)
  const raised = levels.map((_, at) => {
    const level = levels
      .subarray(Math.max(0, at - HOLD), at + HOLD + 1)
      .reduce((most, x) => Math.max(most, x), 0)
    return (loud / Math.max(SOFTEST * loud, level)) ** (SHARE * shareAbove(level, noise))
  })
  return raised.map((_, at) => {
    const around = raised.subarray(Math.max(0, at - SMOOTH), at + SMOOTH + 1)
    return around.reduce((sum, gain) => sum + gain, 0) / around.length
  })
}

/** 0: not louder than noise. 1: surely something else. Between, it rises with the level in decibels. */
function shareAbove(level: number, noise: number): number {
  if (noise === 0) return 1
  const place = Math.log(Math.max(1e-9, level) / (NOISE * noise)) / Math.log(ABOVE_NOISE / NOISE)
  return Math.max(0, Math.min(1, place))
}

/** Samples (-1 to 1) of a piece that begins at `startSeconds`, with the gains of their blocks, which change evenly. */
export function withGains(
  samples: Int16Array,
  rate: number,
  startSeconds: number,
  gains: Float32Array,
): Float32Array {
  const last = Math.max(0, gains.length - 1)
  const result = new Float32Array(samples.length)
  for (let at = 0; at < samples.length; at += 1) {
    const place = Math.min(last, Math.max(0, (startSeconds + at / rate) / BLOCK_SECONDS - 0.5))
    const block = Math.floor(place)
    const before = gains[block] ?? 1
    const after = gains[Math.min(last, block + 1)] ?? 1
    result[at] = ((before + (place - block) * (after - before)) * (samples[at] ?? 0)) / 32_768
  }
  return result
}
