/**
 * PURE. Aligns a sequence of expected sounds with measured frames: a segment model, solved exactly by dynamic programming.
 * Each sound takes a whole number of frames. Its cost is how little the frames fit its kind, plus how unusual its length is.
 * Between words there may be silence, which is cheaper after punctuation.
 */
import { type SoundFeatures, FLOOR_DB, HOP_SECONDS, percentile } from './sound-features.ts'
import type { Sound, SoundKind } from './spoken-sounds.ts'

export interface WordToPlace {
  readonly sounds: readonly Sound[]
  /** Cost of a pause after the word; low after punctuation. */
  readonly pausePrice: number
}

/** First frame, and the frame after the last. */
export interface PlacedWord {
  readonly from: number
  readonly to: number
}

type Emission = SoundKind | 'silence'
interface Profile {
  /** Mean and spread of the level, 0 (background) to 1 (loud speech). */
  readonly level: readonly [number, number]
  /** Mean and spread of the brightness in dB; null where brightness says nothing. */
  readonly brightness: readonly [number, number] | null
}

const PROFILES: Record<Emission, Profile> = {
  vowel: { level: [0.86, 0.14], brightness: [-13, 5] },
  sonorant: { level: [0.74, 0.18], brightness: [-16, 5] },
  voicedStop: { level: [0.55, 0.25], brightness: [-14, 7] },
  buzz: { level: [0.62, 0.2], brightness: [-8, 7] },
  hiss: { level: [0.58, 0.2], brightness: [1, 4] },
  breath: { level: [0.45, 0.22], brightness: [-4, 7] },
  stop: { level: [0.35, 0.27], brightness: [-6, 8] },
  unknown: { level: [0.7, 0.3], brightness: null },
  silence: { level: [0.05, 0.14], brightness: null },
}
const KINDS = Object.keys(PROFILES) as Emission[]

/** Frames are 10 ms apart and similar to each other, so each counts for less than one observation. */
const FRAME_WEIGHT = 0.3
const WORST_FRAME = 6
/** Spread of ln(length / usual length). */
const LENGTH_SPREAD = 0.55
const LONGEST = 3.5
const MIN_SILENCE_FRAMES = 3
/** With a smaller range of levels there is no speech that could be followed. */
const MIN_SPAN_DB = 12
const MAX_SPAN_DB = 50

/** Running sums of each kind's cost, so that the cost of any range is one subtraction. */
function priceSums(features: SoundFeatures): Record<Emission, Float64Array> {
  const { levelDb, brightnessDb } = features
  const top = percentile(levelDb, 0.92)
  const floor = Math.max(FLOOR_DB, top - MAX_SPAN_DB, Math.min(percentile(levelDb, 0.04), top - MIN_SPAN_DB))
  const sums = {} as Record<Emission, Float64Array>
  for (const kind of KINDS) {
    const profile = PROFILES[kind]
    const sum = new Float64Array(levelDb.length + 1)
    for (let frame = 0; frame < levelDb.length; frame += 1) {
      const level = Math.min(1.1, Math.max(0, ((levelDb[frame] ?? FLOOR_DB) - floor) / (top - floor)))
      let price = misfit(level, profile.level)
      if (brightnessDb !== undefined) {
        // Near the background level brightness is that of the noise, so it counts only where there is sound.
        const weight = Math.min(1, Math.max(0, (level - 0.15) * 3))
        const bright = profile.brightness
        price += weight * (bright === null ? 2.4 : misfit(brightnessDb[frame] ?? 0, bright))
      }
      sum[frame + 1] = (sum[frame] ?? 0) + FRAME_WEIGHT * Math.min(WORST_FRAME, price)
    }
    sums[kind] = sum
  }
  return { ...sums, silence: withSustained(sums.silence, sums.vowel, features) }
}

/** What a frame of a sustained sound costs above the best vowel when it is taken for a pause: it may be an "um". */
const SUSTAINED_PRICE = 0

/** A sustained sound may stand between words as a pause does, at nearly the price of the vowel that it sounds like. */
function withSustained(
  silence: Float64Array,
  vowel: Float64Array,
  { startSeconds, sustained = [] }: SoundFeatures,
): Float64Array {
  if (sustained.length === 0) return silence
  const next = new Float64Array(silence.length)
  for (let frame = 0; frame + 1 < silence.length; frame += 1) {
    const moment = startSeconds + (frame + 0.5) * HOP_SECONDS
    const inside = sustained.some(({ start, end }) => moment > start && moment < end)
    const price = silence[frame + 1]! - silence[frame]!
    const asVowel = vowel[frame + 1]! - vowel[frame]! + SUSTAINED_PRICE
    next[frame + 1] = next[frame]! + (inside ? Math.min(price, asVowel) : price)
  }
  return next
}

function misfit(value: number, [mean, spread]: readonly [number, number]): number {
  const distance = (value - mean) / spread
  return distance * distance * 0.5 + Math.log(spread) - Math.log(0.2)
}

/** Where the text should begin and end, in frames; speech outside costs more than silence inside. */
export interface Bounds {
  readonly from: number
  readonly to: number
}

/** Frames per unit of cost at the bounds: how far captions usually deviate. */
const OUTSIDE_FRAMES = 6
const INSIDE_FRAMES = 30

/** Places each word in the frames; null when there are too few. `pace` multiplies usual lengths. Each word needs a sound. */
export function alignWords(
  features: SoundFeatures,
  words: readonly WordToPlace[],
  bounds: Bounds,
  pace: number,
): PlacedWord[] | null {
  const frames = features.levelDb.length
  const soundCount = words.reduce((sum, word) => sum + word.sounds.length, 0)
  if (words.length === 0 || frames < soundCount) return null
  const sums = priceSums(features)
  let best: Float64Array = new Float64Array(frames + 1)
  for (let frame = 0; frame <= frames; frame += 1) {
    best[frame] = (sums.silence[frame] ?? 0) + edgePrice(bounds.from - frame, frame - bounds.from)
  }
  const trace: Row[] = []
  words.forEach((word, index) => {
    if (index > 0) best = placePause(best, sums.silence, words[index - 1]?.pausePrice ?? 0, trace, index)
    for (const sound of word.sounds) best = placeSound(best, sums[sound.kind], sound, pace, trace, index)
  })
  return traceBack(trace, words.length, lastFrame(best, sums.silence, bounds))
}

/** One step of the model: for every end frame the frame where it began. */
interface Row {
  readonly word: number
  readonly pause: boolean
  readonly began: Int32Array
}

function edgePrice(outside: number, inside: number): number {
  return outside > 0 ? outside / OUTSIDE_FRAMES : inside / INSIDE_FRAMES
}

function placePause(best: Float64Array, silence: Float64Array, price: number, trace: Row[], word: number) {
  const next = Float64Array.from(best)
  const began = Int32Array.from(best.keys())
  let lowest = Infinity
  let lowestAt = 0
  for (let frame = MIN_SILENCE_FRAMES; frame < best.length; frame += 1) {
    const from = frame - MIN_SILENCE_FRAMES
    const candidate = (best[from] ?? Infinity) - (silence[from] ?? 0)
    if (candidate < lowest) {
      lowest = candidate
      lowestAt = from
    }
    const total = lowest + (silence[frame] ?? 0) + price
    if (total < (next[frame] ?? Infinity)) {
      next[frame] = total
      began[frame] = lowestAt
    }
  }
  trace.push({ word, pause: true, began })
  return next
}

function placeSound(
  best: Float64Array,
  sums: Float64Array,
  sound: Sound,
  pace: number,
  trace: Row[],
  word: number,
): Float64Array {
  const usual = Math.max(2, sound.seconds * 100 * pace)
  const longest = Math.max(4, Math.ceil(usual * LONGEST))
  const lengthPrice = Float64Array.from({ length: longest + 1 }, (_, length) => {
    const distance = Math.log(Math.max(0.5, length) / usual) / LENGTH_SPREAD
    return distance * distance * 0.5
  })
  const next = new Float64Array(best.length).fill(Infinity)
  const began = new Int32Array(best.length)
  for (let frame = 1; frame < best.length; frame += 1) {
    let lowest = Infinity
    let lowestLength = 1
    const most = Math.min(longest, frame)
    for (let length = 1; length <= most; length += 1) {
      const from = frame - length
      const total = best[from]! - sums[from]! + lengthPrice[length]!
      if (total < lowest) {
        lowest = total
        lowestLength = length
      }
    }
    next[frame] = lowest + sums[frame]!
    began[frame] = frame - lowestLength
  }
  trace.push({ word, pause: false, began })
  return next
}

function lastFrame(best: Float64Array, silence: Float64Array, bounds: Bounds): number {
  const frames = best.length - 1
  let lowest = Infinity
  let at = frames
  for (let frame = 0; frame <= frames; frame += 1) {
    const rest = (silence[frames] ?? 0) - (silence[frame] ?? 0)
    const total = (best[frame] ?? Infinity) + rest + edgePrice(frame - bounds.to, bounds.to - frame)
    if (total < lowest) {
      lowest = total
      at = frame
    }
  }
  return at
}

function traceBack(trace: readonly Row[], count: number, end: number): PlacedWord[] {
  const placed: PlacedWord[] = Array.from({ length: count }, () => ({ from: 0, to: 0 }))
  let frame = end
  let open = -1
  let openEnd = end
  for (let index = trace.length - 1; index >= 0; index -= 1) {
    const row = trace[index]
    if (row === undefined) break
    if (!row.pause && row.word !== open) {
      open = row.word
      openEnd = frame
    }
    frame = row.began[frame] ?? 0
    if (!row.pause) placed[row.word] = { from: frame, to: openEnd }
  }
  return placed
}
