/** PURE. Picks the best windows that do not overlap. */
import type { Window } from './score-windows.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** The best `count` windows that overlap neither each other nor `taken`; best first, ties by time. */
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
