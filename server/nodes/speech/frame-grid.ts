/** Moments of the source at which a cut can sit: the starts of frames at the output's rate. Seconds. */
import {
  frameToTicks,
  secondsToTicks,
  ticksToSeconds,
  TICKS_PER_SECOND,
  type Rational,
} from '../../contract/time.ts'

export interface FrameGrid {
  readonly frameSeconds: number
  readonly timeOf: (frame: number) => number
  /** First frame at or after the moment. */
  readonly after: (seconds: number) => number
  readonly nearest: (seconds: number) => number
  /** Last frame at or before the moment. */
  readonly before: (seconds: number) => number
}

/** Moments within a millionth of a frame of a boundary count as on it. */
const ROUNDING = 1e-6

export function frameGrid(rate: Rational): FrameGrid {
  const exact = (seconds: number): number =>
    (secondsToTicks(seconds) * rate.numerator) / (rate.denominator * TICKS_PER_SECOND)
  return {
    frameSeconds: rate.denominator / rate.numerator,
    timeOf: (frame) => ticksToSeconds(frameToTicks(frame, rate)),
    after: (seconds) => Math.ceil(exact(seconds) - ROUNDING),
    nearest: (seconds) => Math.round(exact(seconds)),
    before: (seconds) => Math.floor(exact(seconds) + ROUNDING),
  }
}
