/** From the measured sound of a clip to the height of its wave on each output frame. */
import { levelOfHop, type ClipSound } from '../../contract/clip-sound.ts'
import type { AudioMask, TimeSpan } from '../../contract/composition.ts'
import { frameToTicks, ticksToSeconds, type Rational } from '../../contract/time.ts'

/** What is louder than this share of the clip fills the whole height. */
const FULL_PERCENTILE = 0.985
/** Below full height by so many dB there is no wave left, at most: speech moves within less. */
const RANGE_DB = 30
/** The background stays flat by so much. */
const ABOVE_NOISE_DB = 3
/** Quieter than this all over is no sound that a wave should be blown up for. dBFS. */
const FAINT_DB = -50
/** Bends dB towards what the eye takes for twice as loud. */
const BEND = 2.2

export interface WaveTime {
  readonly timeMap: readonly TimeSpan[]
  readonly durationFrames: number
  readonly masks: readonly AudioMask[]
  readonly frameRate: Rational
}

/** 0 to 1 for each frame; 0 where the source is muted, cut or not measured. */
export function waveHeights(sound: ClipSound, time: WaveTime): Float64Array {
  const levels = frameLevels(sound, time)
  const heard = levels.filter(Number.isFinite).toSorted()
  const full = Math.max(FAINT_DB, heard[Math.floor((heard.length - 1) * FULL_PERCENTILE)] ?? FAINT_DB)
  const none = Math.min(full - 6, Math.max(full - RANGE_DB, sound.noiseLevelDb + ABOVE_NOISE_DB))
  return levels.map((level) => Math.min(1, Math.max(0, (level - none) / (full - none))) ** BEND)
}

/** Peak level of each frame, dBFS; minus infinity where the source is not heard. */
function frameLevels(
  sound: ClipSound,
  { timeMap, durationFrames, masks, frameRate }: WaveTime,
): Float64Array {
  const levels = new Float64Array(durationFrames).fill(-Infinity)
  for (const span of timeMap) {
    const frames = span.endFrame - span.startFrame
    const moment = (frame: number): number =>
      ticksToSeconds(
        span.sourceStart + ((span.sourceEnd - span.sourceStart) * (frame - span.startFrame)) / frames,
      )
    for (let frame = span.startFrame; frame < Math.min(durationFrames, span.endFrame); frame++) {
      levels[frame] = loudest(sound, moment(frame), moment(frame + 1))
    }
  }
  for (const { start, end } of masks) {
    for (let frame = 0; frame < durationFrames; frame++) {
      const middle = (frameToTicks(frame, frameRate) + frameToTicks(frame + 1, frameRate)) / 2
      if (start <= middle && middle < end) levels[frame] = -Infinity
    }
  }
  return levels
}

/** Level of the hops whose middle is between two source seconds, or of the nearest hop. */
function loudest(sound: ClipSound, from: number, to: number): number {
  const hopAt = (seconds: number): number => (seconds - sound.start) / sound.hopSeconds - 0.5
  const first = Math.ceil(hopAt(from))
  const last = Math.ceil(hopAt(to)) - 1
  let level = -Infinity
  for (let hop = first; hop <= Math.max(first, last); hop++)
    level = Math.max(level, levelOfHop(sound, hop) ?? -Infinity)
  return level
}
