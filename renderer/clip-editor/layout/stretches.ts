/** The stretches of a clip that are laid out by themselves: its shots, as an editor has split them. Source seconds. PURE. */
import type { ClipFaces } from '../../../server/contract/clip-measurements.ts'
import type { Composition } from '../../../server/contract/composition.ts'
import type { ManualLayout } from '../../../server/contract/manual-overrides/layouts.ts'
import { playedPieces } from '../../../server/contract/time-map/frames.ts'

export interface Stretch {
  readonly start: number
  readonly end: number
  /** Output frames: the first one played, and the one after the last. */
  readonly startFrame: number
  readonly endFrame: number
}

/** Edges nearer than this are one, and no stretch is shorter. Seconds. */
export const LEAST = 0.04

export interface Divided {
  readonly cut: { readonly startTimestamp: number; readonly endTimestamp: number }
  readonly faces: Pick<ClipFaces, 'shotStarts'> | null
  readonly layouts: readonly ManualLayout[]
  /** Where the editor split it, without a layout of its own yet. */
  readonly splits: readonly number[]
  readonly timeMap: Composition['timeMap']
}

/** In order; those of which nothing is played are left out. The first begins and the last ends with the clip. */
export function stretchesOf({ cut, faces, layouts, splits, timeMap }: Divided): Stretch[] {
  const { startTimestamp: start, endTimestamp: end } = cut
  const inner = [
    // Edges that were set come first: what lies near one is it.
    ...layouts.flatMap((one) => [one.start, one.end]),
    ...(faces?.shotStarts ?? []),
    ...splits,
  ].filter((edge) => edge > start + LEAST && edge < end - LEAST)
  const edges = [start, end]
  for (const edge of inner) if (edges.every((other) => Math.abs(other - edge) >= LEAST)) edges.push(edge)
  edges.sort((a, b) => a - b)
  return edges.slice(0, -1).flatMap((from, index) => {
    const to = edges[index + 1] ?? end
    const pieces = playedPieces({ start: from, end: to }, timeMap)
    const first = pieces[0]
    const last = pieces.at(-1)
    if (first === undefined || last === undefined) return []
    return [{ start: from, end: to, startFrame: first.startFrame, endFrame: last.endFrame }]
  })
}

/** The manual layout of a stretch; null: automatic. */
export function layoutAt(
  layouts: readonly ManualLayout[],
  { start, end }: Pick<Stretch, 'start' | 'end'>,
): ManualLayout | null {
  const middle = (start + end) / 2
  return layouts.find((one) => one.start <= middle && middle < one.end) ?? null
}

/** Sets the layout of a stretch; null: automatic. Layouts that reach into it now end or begin at its edges. */
export function setLayout(
  layouts: readonly ManualLayout[],
  { start, end }: Pick<Stretch, 'start' | 'end'>,
  next: ManualLayout | null,
): ManualLayout[] {
  const around = layouts.flatMap((one): ManualLayout[] => {
    if (one.end <= start || one.start >= end) return [one]
    return [
      { ...one, end: Math.min(one.end, start) },
      { ...one, start: Math.max(one.start, end) },
    ].filter((part) => part.end - part.start >= LEAST)
  })
  const own = next === null ? [] : [{ ...next, start, end }]
  return [...around, ...own].toSorted((a, b) => a.start - b.start)
}

/** Seconds, to the millisecond. */
export const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** The same layout for another stretch: keyframes keep their distance from its start. */
export function movedTo(layout: ManualLayout, { start, end }: Pick<Stretch, 'start' | 'end'>): ManualLayout {
  if (layout.kind !== 'crop') return { ...layout, start, end }
  const keyframes = layout.keyframes.map((one) => ({
    ...one,
    at: Math.max(0, rounded(one.at - layout.start + start)),
  }))
  return { ...layout, start, end, keyframes }
}
