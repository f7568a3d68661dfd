/**
 * Converts seconds of the source to places along the timeline, which shows the whole source or only its played segments.
 * Places are in seconds of the axis; PURE.
 */
import type { Kept } from '../../../server/contract/time-map/cut.ts'

/** A stretch of the source that lies along the axis without a gap. */
export interface Stretch {
  /** Source seconds. */
  readonly start: number
  readonly end: number
  /** Source seconds that go by in a second of the axis. */
  readonly rate: number
  /** Where it begins on the axis. */
  readonly at: number
}

export interface Axis {
  readonly stretches: readonly Stretch[]
  /** Seconds of the axis. */
  readonly length: number
}

/** The whole source, as it is. */
export const sourceAxis = (duration: number): Axis => ({
  stretches: [{ start: 0, end: duration, rate: 1, at: 0 }],
  length: duration,
})

/** Only what is played, at its rate. */
export function playedAxis(kept: readonly Kept[]): Axis {
  let at = 0
  const stretches = kept.map(({ start, end, rate }) => {
    const stretch = { start, end, rate, at }
    at += (end - start) / rate
    return stretch
  })
  return { stretches, length: at }
}

/** Place of a source second; of one that is left out, where the next stretch begins. */
export function placeOf({ stretches, length }: Axis, second: number): number {
  for (const { start, end, rate, at } of stretches) {
    if (second < start) return at
    if (second <= end) return at + (second - start) / rate
  }
  return length
}

/** The source second at a place; before the first and after the last, their edges. */
export function secondAt({ stretches }: Axis, place: number): number {
  const stretch = stretches.findLast(({ at }) => at <= place) ?? stretches[0]
  if (stretch === undefined) return 0
  const { start, end, rate, at } = stretch
  return Math.min(end, Math.max(start, start + (place - at) * rate))
}

/** How fast the source goes by at a source second. */
export const rateAt = ({ stretches }: Axis, second: number): number =>
  stretches.find(({ start, end }) => second >= start && second <= end)?.rate ?? 1

/** The parts of stretches that lie between two places. */
export function stretchesBetween({ stretches }: Axis, from: number, to: number): Stretch[] {
  return stretches.flatMap((one) => {
    const first = Math.max(from, one.at)
    const last = Math.min(to, one.at + (one.end - one.start) / one.rate)
    if (last <= first) return []
    const start = one.start + (first - one.at) * one.rate
    return [{ start, end: start + (last - first) * one.rate, rate: one.rate, at: first }]
  })
}

/** Steps of a ruler in seconds; the first whose marks are `apart` pixels from each other. */
export function rulerStep(perSecond: number, apart: number): number {
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600]
  return steps.find((step) => step * perSecond >= apart) ?? 7200
}
