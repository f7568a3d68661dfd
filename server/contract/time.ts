/**
 * Rational time. Inside the appliance a moment is a whole number of ticks or of frames; seconds exist only at the
 * API's edge. One tick is one flick, 1/705,600,000 s: every usual frame rate (24000/1001 included) and sample rate
 * divides it without remainder (https://github.com/facebookarchive/Flicks), and 2^53 ticks are 147 days.
 */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject } from './config-fields.ts'

export const TICKS_PER_SECOND = 705_600_000

/** A moment or length in ticks; always a safe integer. */
export type Ticks = number
export const Ticks = Type.Integer({ description: 'Moment or length in ticks of 1/705600000 s' })

/** A stretch of the source, seconds. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** Output frames, end exclusive. */
export interface FrameRange {
  readonly startFrame: number
  readonly endFrame: number
}

/** A fraction such as a frame rate, frames per second: `{ numerator: 30000, denominator: 1001 }`. */
export const Rational = closedObject({
  numerator: Type.Integer({ minimum: 1 }),
  denominator: Type.Integer({ minimum: 1 }),
})
export type Rational = Static<typeof Rational>

/** The largest whole number that divides both; neither is negative. */
export function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

/** Seconds (API edge) to the nearest tick. */
export const secondsToTicks = (seconds: number): Ticks => Math.round(seconds * TICKS_PER_SECOND)

/** Ticks to seconds, for the API's edge and for ffmpeg arguments. */
export const ticksToSeconds = (ticks: Ticks): number => ticks / TICKS_PER_SECOND

/** Frames per second as a floating number, for display only. */
export const rationalToNumber = (rate: Rational): number => rate.numerator / rate.denominator

/** How often each picture is repeated where the source has too few to keep words in sync; otherwise 1. */
export function timesRaised(rate: Rational): number {
  const perSecond = rationalToNumber(rate)
  return perSecond < 20 ? Math.ceil(23.9 / perSecond) : 1
}

/** Start of frame `frame` in ticks at `rate`, rounded to the nearest tick. */
export const frameToTicks = (frame: number, rate: Rational): Ticks =>
  Math.round((frame * rate.denominator * TICKS_PER_SECOND) / rate.numerator)

/** Nearest frame boundary to `ticks`. */
export const ticksToNearestFrame = (ticks: Ticks, rate: Rational): number =>
  Math.round((ticks * rate.numerator) / (rate.denominator * TICKS_PER_SECOND))
