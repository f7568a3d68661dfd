/** Frame rates as formats write them: timecode bases, drop frame, fractions of a second. PURE. */
import { commonDivisor, type Rational } from '../contract/time.ts'

const DAY_SECONDS = 24 * 3600

/** Frames that timecode counts to a second: 30 for 29.97. */
export function timebase({ numerator, denominator }: Rational): number {
  return Math.round(numerator / denominator)
}

/** Whether the rate is one of those a thousandth slower than a whole number: 23.976, 29.97, 59.94. */
export function isNtsc({ numerator, denominator }: Rational): boolean {
  return denominator === 1001 && numerator % 1000 === 0
}

/** Drop-frame timecode exists for 29.97 and its multiples. */
export function dropsFrames(rate: Rational): boolean {
  return isNtsc(rate) && timebase(rate) % 30 === 0
}

/**
 * `HH:MM:SS:FF`, or `HH:MM:SS;FF` where frame numbers are dropped; after 24 hours it starts again. Drop frame leaves out
 * the first two numbers (four at 59.94) of each minute but every tenth, so that it keeps to the clock.
 */
export function timecode(frame: number, rate: Rational): string {
  const base = timebase(rate)
  const drop = dropsFrames(rate)
  const number = drop ? withDropped(frame, base) : frame
  const frames = number % base
  const seconds = Math.floor(number / base) % DAY_SECONDS
  const two = (value: number): string => String(value).padStart(2, '0')
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
  return `${clock}${drop ? ';' : ':'}${two(frames)}`
}

/** The number that a drop-frame counter shows for a frame. */
function withDropped(frame: number, base: number): number {
  const dropped = base / 15
  const perMinute = base * 60 - dropped
  const perTen = perMinute * 10 + dropped
  const tens = Math.floor(frame / perTen)
  const rest = frame % perTen
  const minutes = rest < base * 60 ? 0 : 1 + Math.floor((rest - base * 60) / perMinute)
  return frame + tens * 9 * dropped + minutes * dropped
}

/** The frame at which timecode shows `hours` o'clock. */
export function frameOfHour(hours: number, rate: Rational): number {
  const base = timebase(rate)
  const perHour = dropsFrames(rate) ? base * 3600 - (base / 15) * 54 : base * 3600
  return hours * perHour
}

/** A length in frames as Final Cut writes it: `1001/30000s`, `0s`. */
export function rationalSeconds(frames: number, { numerator, denominator }: Rational): string {
  const top = frames * denominator
  if (top % numerator === 0) return `${top / numerator}s`
  const shared = commonDivisor(top, numerator)
  return `${top / shared}/${numerator / shared}s`
}
