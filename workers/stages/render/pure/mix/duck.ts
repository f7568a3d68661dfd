/** By how much tracks are lowered under speech: the curve that `curveFilter` of render-music.ts describes to ffmpeg. */
import type { Composition } from '../../../../../server/contract/composition.ts'
import { DUCKING, speechPower } from '../../../../media/arguments/render-music.ts'
import { SAMPLE_RATE } from '../../../../media/arguments/render-time.ts'
import type { Stereo } from './stereo.ts'

/** The factor of a track at an output sample. */
export type DuckCurve = (sample: number) => number

/** Samples between two values of the curve. */
const STEP = SAMPLE_RATE / DUCKING.curveRate

/** The power of the sound slightly ahead of it, one value for each step of the curve. */
export function speechOf({ left, right }: Stereo): Float32Array {
  const lead = Math.min(Math.round(DUCKING.lookahead * SAMPLE_RATE), left.length - 1)
  return Float32Array.from({ length: Math.ceil(left.length / STEP) + 1 }, (_, index) => {
    let sum = 0
    const middle = index * STEP + lead
    for (let at = middle - STEP; at < middle + STEP; at++) {
      const value = ((left[at] ?? 0) + (right[at] ?? 0)) / 2
      sum += value * value * (1 - Math.abs(at - middle) / STEP)
    }
    return sum / STEP
  })
}

/** The curve, `depth` dB deep, over the power that `speechOf` gives. */
export function duckCurve(
  composition: Pick<Composition, 'audio'>,
  power: Float32Array,
  depth: number,
): DuckCurve {
  const threshold = speechPower(composition)
  const step = (seconds: number): number => 1 / (seconds * DUCKING.curveRate)
  let smooth = 0
  let held = 0
  let lowered = 0
  const values = power.map((value) => {
    smooth += step(DUCKING.smoothed) * (value - smooth)
    held = smooth > threshold ? DUCKING.stays * DUCKING.curveRate : Math.max(0, held - 1)
    lowered = held > 0 ? Math.min(1, lowered + step(DUCKING.down)) : Math.max(0, lowered - step(DUCKING.up))
    return 10 ** ((-depth / 20) * lowered * lowered * (3 - 2 * lowered))
  })
  return (sample) => {
    const place = sample / STEP
    const index = Math.floor(place)
    const before = values[index] ?? 1
    return before + ((values[index + 1] ?? before) - before) * (place - index)
  }
}
