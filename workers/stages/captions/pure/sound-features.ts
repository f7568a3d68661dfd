/**
 * PURE. The sound features that word timing uses: level and brightness every 10 ms. Level alone cannot tell an "s" from a soft
 * vowel; brightness (energy of the first difference divided by energy) can, at the cost of one subtraction per sample.
 */
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'
import type { Stretch } from '../../../../server/contract/time.ts'

/** Seconds per feature frame. */
export const HOP_SECONDS = 0.01
/** Lower levels count as silence, dBFS. */
export const FLOOR_DB = -100

export interface SoundFeatures {
  /** Source time of the first frame, in seconds. */
  readonly startSeconds: number
  /** RMS level per frame, dBFS. */
  readonly levelDb: Float32Array
  /** Brightness per frame in dB: below -10 for vowels, above 0 for hissing sounds. Absent: only the level is known. */
  readonly brightnessDb?: Float32Array
  /** Where a voice holds one sound (sustained-sounds.ts), source seconds, in order: it may be no word. Absent: none is known. */
  readonly sustained?: readonly Stretch[]
}

/** Features of mono PCM (signed 16 bit). A last part shorter than half a frame is left out. */
export function featuresOf(samples: Int16Array, sampleRate: number, startSeconds: number): SoundFeatures {
  const hop = sampleRate * HOP_SECONDS
  const frames = Math.floor(samples.length / hop + 0.5)
  const levelDb = new Float32Array(frames)
  const brightnessDb = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame += 1) {
    const from = Math.round(frame * hop)
    const to = Math.min(samples.length, Math.round((frame + 1) * hop))
    let energy = 0
    let change = 0
    let before = samples[Math.max(0, from - 1)] ?? 0
    for (let index = from; index < to; index += 1) {
      const sample = samples[index] ?? 0
      energy += sample * sample
      change += (sample - before) * (sample - before)
      before = sample
    }
    levelDb[frame] = toDb(energy / Math.max(1, to - from) / (32768 * 32768))
    brightnessDb[frame] = energy === 0 ? 0 : toDb(change / energy)
  }
  return { startSeconds, levelDb, brightnessDb }
}

/** The part of the features from `from` to `to` seconds. */
export function sliceFeatures(features: SoundFeatures, from: number, to: number): SoundFeatures {
  const first = clampFrame(features, Math.floor((from - features.startSeconds) / HOP_SECONDS + 1e-6))
  const last = Math.max(
    first,
    clampFrame(features, Math.ceil((to - features.startSeconds) / HOP_SECONDS - 1e-6)),
  )
  const brightness = features.brightnessDb?.subarray(first, last)
  return {
    startSeconds: features.startSeconds + first * HOP_SECONDS,
    levelDb: features.levelDb.subarray(first, last),
    ...omitUndefined({ brightnessDb: brightness, sustained: features.sustained }),
  }
}

/** Value at this share (0 to 1) of the sorted values; FLOOR_DB when there are none. */
export function percentile(values: Float32Array, share: number): number {
  if (values.length === 0) return FLOOR_DB
  const sorted = Float32Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? FLOOR_DB
}

function clampFrame(features: SoundFeatures, frame: number): number {
  return Math.min(features.levelDb.length, Math.max(0, frame))
}

function toDb(power: number): number {
  return power <= 1e-10 ? FLOOR_DB : 10 * Math.log10(power)
}
