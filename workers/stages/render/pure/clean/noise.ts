/**
 * Takes noise out of speech by its spectrum. How strong the noise is at each frequency is followed by how likely there is speech
 * (Gerkmann and Hendriks, "Unbiased MMSE-based noise power estimation", 2012); how much of a frame is let through is the estimate
 * with the least error in loudness (Ephraim and Malah, 1985), weighed by how likely there is speech around it in time and frequency
 * (Cohen, "Optimal speech enhancement under signal presence uncertainty", 2002).
 */
import { SAMPLE_RATE } from '../../../../media/arguments/render-time.ts'
import { BINS, FRAME, HOP } from './spectral-filter.ts'

export interface NoiseStrength {
  /** What is only noise is lowered by so many decibels. */
  readonly floorDb: number
  /** The noise is taken to be so many times its estimate. */
  readonly over: number
}

/** Seconds between two frames. */
const STEP = HOP / SAMPLE_RATE
/** How much of the last value is kept from one frame to the next, where so many seconds should matter. */
const keptOver = (seconds: number): number => Math.exp(-STEP / seconds)
const bandsOf = (hertz: number): number => Math.max(1, Math.round((hertz * FRAME) / SAMPLE_RATE))

const LEAST = 1e-12

/** Levels of a bin, in steps of a decibel and a half from -150 dB of full scale on. */
const LEVELS = 128
const LEVEL_DB = 1.5
const LOWEST_DB = -140
/** The level that this share of all frames does not reach is that of noise alone. */
const QUIET = 0.2
/** For noise, that level is by this factor below its mean: the power of noise in one bin is distributed exponentially. */
const QUIET_OF_MEAN = -Math.log(1 - QUIET)

/** Listens to a whole sound and says what its noise is like, so that noise is known from the first frame on. */
export function createNoiseProfile() {
  const counts = new Uint32Array(BINS * LEVELS)
  let frames = 0
  return {
    add(power: Float64Array): void {
      // Where a recording has been silenced there is no noise to be heard.
      let sum = 0
      for (const value of power) sum += value
      if (sum < BINS * LEAST) return
      frames += 1
      for (let bin = 0; bin < BINS; bin++) {
        const level = (10 * Math.log10((power[bin] ?? 0) + 1e-20) - LOWEST_DB) / LEVEL_DB
        const place = bin * LEVELS + Math.max(0, Math.min(LEVELS - 1, Math.floor(level)))
        counts[place] = (counts[place] ?? 0) + 1
      }
    },
    /** Mean power of the noise by frequency. */
    finish(): Float64Array {
      const noise = new Float64Array(BINS)
      for (let bin = 0; bin < BINS; bin++) {
        let seen = 0
        let level = 0
        for (; level < LEVELS && seen < frames * QUIET; level++) seen += counts[bin * LEVELS + level] ?? 0
        noise[bin] = 10 ** ((LOWEST_DB + LEVEL_DB * (level - 0.5)) / 10) / QUIET_OF_MEAN
      }
      return smoothed(noise, 2)
    },
  }
}

function smoothed(values: Float64Array, reach: number): Float64Array {
  return values.map((_, at) => {
    const near = values.subarray(Math.max(0, at - reach), at + reach + 1)
    return near.reduce((sum, value) => sum + value, 0) / near.length
  })
}

/** Where there is speech it is taken to be by so much louder than the noise. */
const SPEECH_OVER_NOISE = 10 ** 1.5
const KEPT_NOISE = keptOver(0.07)
const KEPT_PRESENCE = keptOver(0.15)
/** Presence that lasts is doubted, so that noise which has become louder is followed in the end. */
const MOST_PRESENCE = 0.99

/** Follows the power of the noise from frame to frame, in `noise` itself, which is to hold it as it begins. */
export function createNoiseTracker(noise: Float64Array) {
  const presence = new Float64Array(BINS).fill(0.5)
  const slope = SPEECH_OVER_NOISE / (1 + SPEECH_OVER_NOISE)
  return (power: Float64Array): void => {
    for (let bin = 0; bin < BINS; bin++) {
      const before = noise[bin] ?? LEAST
      const now = power[bin] ?? 0
      const unlikely = (1 + SPEECH_OVER_NOISE) * Math.exp(-Math.min(200, (now / before) * slope))
      let speech = 1 / (1 + unlikely)
      const lasting = KEPT_PRESENCE * (presence[bin] ?? 0) + (1 - KEPT_PRESENCE) * speech
      presence[bin] = lasting
      if (lasting > MOST_PRESENCE) speech = Math.min(speech, MOST_PRESENCE)
      const estimate = speech * before + (1 - speech) * now
      noise[bin] = Math.max(LEAST, KEPT_NOISE * before + (1 - KEPT_NOISE) * estimate)
    }
  }
}

const KEPT_SNR = keptOver(0.5)
const LEAST_SNR = 10 ** -2.5
const KEPT_MEAN_SNR = keptOver(0.025)
const NEAR = bandsOf(50)
const AROUND = bandsOf(500)
/** Speech is surely absent below the first and surely present above the second of these ratios to the noise. */
const ABSENT = 10 ** -1
const PRESENT = 10 ** -0.5
const MOST_ABSENCE = 0.95

/** Gains that let speech through and lower noise. `noise` is followed elsewhere and read for each frame. */
export function createSpeechGains({ floorDb, over }: NoiseStrength) {
  const floor = 10 ** (-floorDb / 20)
  /** Power of the speech that was let through in the frame before. */
  const spoken = new Float64Array(BINS)
  const mean = new Float64Array(BINS)
  const near = new Float64Array(BINS)
  const around = new Float64Array(BINS)
  let peak = LEAST_SNR
  let before = 0
  return (power: Float64Array, noise: Float64Array, gains: Float64Array): void => {
    for (let bin = 0; bin < BINS; bin++) {
      const against = over * (noise[bin] ?? LEAST)
      const posterior = (power[bin] ?? 0) / against
      const prior = KEPT_SNR * ((spoken[bin] ?? 0) / against) + (1 - KEPT_SNR) * Math.max(0, posterior - 1)
      gains[bin] = Math.max(LEAST_SNR, prior)
      mean[bin] = KEPT_MEAN_SNR * (mean[bin] ?? 0) + (1 - KEPT_MEAN_SNR) * (gains[bin] ?? 0)
    }
    averageInto(near, mean, NEAR)
    averageInto(around, mean, AROUND)
    const whole = mean.reduce((sum, value) => sum + value, 0) / BINS
    const frame = frameLikelihood(whole, before, peak)
    peak = frame.peak
    before = whole
    for (let bin = 0; bin < BINS; bin++) {
      const against = over * (noise[bin] ?? LEAST)
      const prior = gains[bin] ?? LEAST_SNR
      const share = prior / (1 + prior)
      const evidence = Math.min(200, (share * (power[bin] ?? 0)) / against)
      const likely = likelihood(near[bin] ?? 0) * likelihood(around[bin] ?? 0) * frame.likelihood
      const absence = Math.min(MOST_ABSENCE, 1 - likely)
      const odds = (absence / (1 - absence)) * (1 + prior) * Math.exp(-evidence)
      const presence = 1 / (1 + odds)
      const speech = share * loudnessGain(evidence)
      spoken[bin] = Math.min(1, speech * speech) * (power[bin] ?? 0)
      gains[bin] = Math.min(1, Math.max(floor, speech ** presence * floor ** (1 - presence)))
    }
  }
}

/** From 0 to 1 between the two ratios, evenly in decibels. */
function likelihood(ratio: number): number {
  if (ratio <= ABSENT) return 0
  if (ratio >= PRESENT) return 1
  return Math.log(ratio / ABSENT) / Math.log(PRESENT / ABSENT)
}

/** Of the frame as a whole: rising means speech; falling, it is held against the last peak. */
function frameLikelihood(whole: number, before: number, peak: number) {
  if (whole <= ABSENT) return { likelihood: 0, peak }
  if (whole > before) return { likelihood: 1, peak: Math.min(Math.max(whole, 1), 10) }
  if (whole <= peak * ABSENT) return { likelihood: 0, peak }
  if (whole >= peak * PRESENT) return { likelihood: 1, peak }
  return { likelihood: Math.log(whole / (peak * ABSENT)) / Math.log(PRESENT / ABSENT), peak }
}

/** Means over `reach` neighbours on each side. */
function averageInto(target: Float64Array, values: Float64Array, reach: number): void {
  let sum = 0
  let from = 0
  let to = 0
  for (let at = 0; at < BINS; at++) {
    for (; to < Math.min(BINS, at + reach + 1); to++) sum += values[to] ?? 0
    for (; from < at - reach; from++) sum -= values[from] ?? 0
    target[at] = Math.max(0, sum / (to - from))
  }
}

/** exp(E1(x) / 2), E1 the exponential integral, at logarithmic steps of x: what a spectral gain has beside Wiener's. */
const TABLE_FROM = Math.log(1e-4)
const TABLE_STEP = 0.02
const TABLE = Float64Array.from(
  { length: Math.ceil((Math.log(60) - TABLE_FROM) / TABLE_STEP) + 2 },
  (_, at) => Math.exp(exponentialIntegral(Math.exp(TABLE_FROM + at * TABLE_STEP)) / 2),
)

function loudnessGain(x: number): number {
  if (x > 50) return 1
  const place = (Math.log(Math.max(x, 1e-4)) - TABLE_FROM) / TABLE_STEP
  const at = Math.floor(place)
  const low = TABLE[at] ?? 1
  return low + ((TABLE[at + 1] ?? 1) - low) * (place - at)
}

/** E1: a series for small values, a continued fraction for others. */
export function exponentialIntegral(x: number): number {
  if (x < 1) {
    let term = 1
    let sum = 0
    for (let n = 1; n < 30; n++) {
      term *= -x / n
      sum -= term / n
    }
    return -0.5772156649015329 - Math.log(x) + sum
  }
  let value = 0
  for (let n = 60; n > 0; n--) value = n / (1 + n / (x + value))
  return Math.exp(-x) / (x + value)
}
