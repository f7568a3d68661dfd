/** PURE. Picks the best windows that do not overlap, and turns raw scores into the 0-100 that people see. */
import type { Window } from './score-windows.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** The best `count` without overlap among themselves or with what is taken already; best first, ties by time. */
export function chooseBest(windows: readonly Window[], count: number, taken: readonly Span[]): Window[] {
  const order = [...windows].sort((a, b) => b.raw - a.raw || a.start - b.start || a.end - b.end)
  const chosen: Window[] = []
  for (const window of order) {
    if (chosen.length >= count) break
    const free = [...taken, ...chosen].every((span) => window.end <= span.start || window.start >= span.end)
    if (free) chosen.push(window)
  }
  return chosen
}

/**
 * Raw scores lie close together, and a person reads 0-100 as a school mark: an S-curve spreads the middle. Fixed, not
 * relative to this video, so that scores of two videos can be compared.
 */
export function calibrate(raw: number): number {
  const centre = 57
  const width = 13
  return Math.round(Math.min(99, Math.max(1, 100 / (1 + Math.exp(-(raw - centre) / width)))) * 10) / 10
}
