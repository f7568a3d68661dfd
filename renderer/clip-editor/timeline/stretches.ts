/** Moves, resizes and places items on the timeline. Source seconds. PURE. */
import { firstIndexOf } from '../transcript/marks.ts'

export interface Placed {
  readonly id: string
  readonly start: number
  readonly end: number
}

export interface Bounds {
  readonly start: number
  readonly end: number
}

/** Nothing on the timeline is shorter, seconds. */
const MIN_ITEM = 0.1

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** The free space around an item: up to its neighbours where they may not overlap, else everything. */
function freeSpaceFor(list: readonly Placed[], id: string, bounds: Bounds, apart: boolean): Bounds {
  if (!apart) return bounds
  const one = list.find((other) => other.id === id)
  if (one === undefined) return bounds
  const others = list.filter((other) => other.id !== id)
  return {
    start: Math.max(
      bounds.start,
      ...others.filter(({ end }) => end <= one.start + 1e-6).map(({ end }) => end),
    ),
    end: Math.min(
      bounds.end,
      ...others.filter(({ start }) => start >= one.end - 1e-6).map(({ start }) => start),
    ),
  }
}

/** Moves an item by `delta`, as far as there is space. `apart`: items may not overlap. */
export function moveItem<T extends Placed>(
  list: readonly T[],
  id: string,
  delta: number,
  { bounds, apart }: { readonly bounds: Bounds; readonly apart: boolean },
): T[] {
  const space = freeSpaceFor(list, id, bounds, apart)
  return list.map((one) => {
    if (one.id !== id) return one
    const length = one.end - one.start
    const start = rounded(Math.max(space.start, Math.min(space.end - length, one.start + delta)))
    return { ...one, start, end: rounded(start + length) }
  })
}

/** Moves an edge of one, as far as its neighbours let it. */
export function resizeItem<T extends Placed>(
  list: readonly T[],
  edge: { readonly id: string; readonly side: 'start' | 'end' },
  to: number,
  { bounds, apart }: { readonly bounds: Bounds; readonly apart: boolean },
): T[] {
  const space = freeSpaceFor(list, edge.id, bounds, apart)
  return list.map((one) => {
    if (one.id !== edge.id) return one
    return edge.side === 'start'
      ? { ...one, start: rounded(Math.max(space.start, Math.min(one.end - MIN_ITEM, to))) }
      : { ...one, end: rounded(Math.min(space.end, Math.max(one.start + MIN_ITEM, to))) }
  })
}

/** Inserts an item, shortened where necessary; null where there is no space. Sorted where `apart`. */
export function insertItem<T extends Placed>(
  list: readonly T[],
  item: T,
  { bounds, apart }: { readonly bounds: Bounds; readonly apart: boolean },
): T[] | null {
  const start = Math.max(bounds.start, item.start)
  if (!apart) {
    const end = Math.min(bounds.end, item.end)
    return end - start < MIN_ITEM ? null : [...list, { ...item, start: rounded(start), end: rounded(end) }]
  }
  const covering = list.find((one) => one.start <= start && one.end > start)
  const from = covering === undefined ? start : covering.end
  const next = Math.min(bounds.end, ...list.map((one) => one.start).filter((other) => other >= from))
  const end = Math.min(next, from + item.end - item.start)
  if (end - from < MIN_ITEM) return null
  const placed = { ...item, start: rounded(from), end: rounded(end) }
  return [...list, placed].toSorted((a, b) => a.start - b.start)
}

/** The row of each, from 0, so that none lies over another: the first row that is free. */
export function rowsOf(list: readonly Placed[]): Map<string, number> {
  const ends: number[] = []
  const rows = new Map<string, number>()
  for (const { id, start, end } of list.toSorted((a, b) => a.start - b.start)) {
    const free = ends.findIndex((last) => last <= start)
    const row = free === -1 ? ends.length : free
    ends[row] = end
    rows.set(id, row)
  }
  return rows
}

/** The nearest of sorted `targets` within `reach` of a time; null for none. */
export function nearest(targets: readonly number[], time: number, reach: number): number | null {
  const low = firstIndexOf(targets, (target) => target >= time)
  const around = [targets[low - 1], targets[low]].filter((target) => target !== undefined)
  const best = around.toSorted((a, b) => Math.abs(a - time) - Math.abs(b - time))[0]
  return best !== undefined && Math.abs(best - time) <= reach ? best : null
}

/** Adjusts a drag so that one of its edges snaps to a target; the target is null where nothing is near. */
export function snapDelta(
  edges: readonly number[],
  delta: number,
  targets: readonly number[],
  reach: number,
): { readonly delta: number; readonly target: number | null } {
  let best: { delta: number; target: number; off: number } | null = null
  for (const edge of edges) {
    const target = nearest(targets, edge + delta, reach)
    if (target === null) continue
    const off = Math.abs(target - edge - delta)
    if (best === null || off < best.off) best = { delta: target - edge, target, off }
  }
  return best === null ? { delta, target: null } : { delta: best.delta, target: best.target }
}
