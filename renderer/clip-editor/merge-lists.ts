/**
 * Merges two people's changes of a list that were both based on `base`: item by item, or where items have no id, by time
 * in the source. PURE.
 */
import type { ManualLayout } from '../../server/contract/manual-overrides/layouts.ts'
import { same } from '../../server/nodes/editing/clip-edit.ts'
import { MAX_KEYFRAMES } from '../../server/nodes/index.ts'

export type Side = 'ours' | 'theirs'

export interface ThreeWay<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
  /** Whose value wins where both changed the same. */
  readonly prefer: Side
}

export interface Merged<T> {
  readonly value: T
  /** Both changed the same item differently. */
  readonly conflict: boolean
}

/** All three sides in another form. */
export const eachSide = <T, U>(
  { base, ours, theirs, prefer }: ThreeWay<T>,
  map: (side: T) => U,
): ThreeWay<U> => ({ base: map(base), ours: map(ours), theirs: map(theirs), prefer })

/** A value that is taken whole. */
export function mergeWhole<T>(
  { base, ours, theirs, prefer }: ThreeWay<T>,
  alike: (a: T, b: T) => boolean = same,
): Merged<T> {
  if (alike(base, ours)) return { value: theirs, conflict: false }
  if (alike(base, theirs) || alike(ours, theirs)) return { value: ours, conflict: false }
  return { value: prefer === 'ours' ? ours : theirs, conflict: true }
}

interface Item {
  readonly id: string
}
interface PlacedItem extends Item {
  readonly start: number
  readonly end: number
}

const byId = <T extends Item>(list: readonly T[]): Map<string, T> =>
  new Map(list.map((item) => [item.id, item]))

/**
 * Items by their ids. One that both have made, each their own, is two: ours takes another id. The order is that of the
 * side that has changed it.
 */
export function mergeItems<T extends Item>(given: ThreeWay<readonly T[]>): Merged<T[]> {
  const { base, theirs, prefer } = given
  const ours = withOwnIds(base, given.ours, theirs)
  const items = eachSide({ base, ours, theirs, prefer }, byId)
  let conflict = false
  const value = orderOf(base, ours, theirs).flatMap((id) => {
    const one = mergeWhole(eachSide(items, (side) => side.get(id)))
    conflict ||= one.conflict
    return one.value === undefined ? [] : [one.value]
  })
  return { value, conflict }
}

/** Our items, with a new id where the other side used the same id for an item of its own. */
function withOwnIds<T extends Item>(base: readonly T[], ours: readonly T[], theirs: readonly T[]): T[] {
  const inBase = byId(base)
  const inTheirs = byId(theirs)
  const taken = new Set([...base, ...ours, ...theirs].map(({ id }) => id))
  return ours.map((item) => {
    const other = inTheirs.get(item.id)
    if (other === undefined || inBase.has(item.id) || same(item, other)) return item
    const stem = item.id.replace(/-\d+$/u, '').slice(0, 48)
    let number = 2
    while (taken.has(`${stem}-${number}`)) number++
    const id = `${stem}-${number}`
    taken.add(id)
    return { ...item, id }
  })
}

/** The order of the side that has reordered; an item that the other side added follows the same predecessor. */
function orderOf<T extends Item>(base: readonly T[], ours: readonly T[], theirs: readonly T[]): string[] {
  const ids = (list: readonly T[]): string[] => list.map(({ id }) => id)
  const kept = (list: readonly T[], other: readonly T[]): string[] => {
    const others = new Set(ids(other))
    return ids(list).filter((id) => others.has(id))
  }
  const oursMoved = !same(kept(ours, base), kept(base, ours))
  const [leading, following] = oursMoved ? [ours, theirs] : [theirs, ours]
  const order = ids(leading)
  let before: string | undefined
  for (const { id } of following) {
    if (!order.includes(id)) order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
    before = id
  }
  return order
}

/** Items that lie beside each other in time: where two of both sides would overlap, the preferred side's stays. */
export function mergeApart<T extends PlacedItem>(given: ThreeWay<readonly T[]>): Merged<T[]> {
  const merged = mergeItems(given)
  const preferred = byId(given[given.prefer])
  let list = inTime(merged.value)
  let { conflict } = merged
  for (;;) {
    const clash = clashIn(list, preferred)
    if (clash === null) return { value: list, conflict }
    conflict = true
    const instead = preferred.get(clash.id)
    list = inTime(list.flatMap((item) => (item !== clash ? [item] : instead === undefined ? [] : [instead])))
  }
}

const inTime = <T extends PlacedItem>(list: readonly T[]): T[] => list.toSorted((a, b) => a.start - b.start)

/** One of two that overlap: the one that is not as the preferred side has it. */
function clashIn<T extends PlacedItem>(list: readonly T[], preferred: ReadonlyMap<string, T>): T | null {
  for (const [index, item] of list.entries()) {
    const before = list[index - 1]
    if (before === undefined || before.end <= item.start) continue
    const foreign = [item, before].find((one) => !same(one, preferred.get(one.id)))
    if (foreign !== undefined) return foreign
  }
  return null
}

/** Members of a record, each whole. */
export function mergeMembers<T>(given: ThreeWay<Readonly<Record<string, T>>>): Merged<Record<string, T>> {
  const { ours, theirs } = given
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])]
  let conflict = false
  const members = names.flatMap((name): [string, T][] => {
    const one = mergeWhole<T | undefined>(eachSide(given, (side) => side[name]))
    conflict ||= one.conflict
    return one.value === undefined ? [] : [[name, one.value]]
  })
  return { value: Object.fromEntries(members), conflict }
}

/** Edges nearer than this are one. Seconds. */
const LEAST = 0.04

/** What a stretch is shown as, wherever it begins and ends; null: left to the nodes. */
type Shown = { readonly layout: ManualLayout; readonly content: unknown } | null

/**
 * Layouts of stretches, second by second of the source: the side that changed a second wins, so that edits of different
 * shots are both preserved.
 */
export function mergeLayouts(given: ThreeWay<readonly ManualLayout[]>): Merged<ManualLayout[]> {
  const sides = onSameEdges(given)
  const {
    base: inBase,
    ours: inOurs,
    theirs: inTheirs,
  } = eachSide(sides, (list) => new Set(list.flatMap(({ start, end }) => [start, end])))
  const edges = [...new Set([...inBase, ...inOurs, ...inTheirs])].toSorted((a, b) => a - b)
  /** Whether an edge stays even where both sides of it look the same: one side added it, or neither removed it. */
  const divides = (edge: number): boolean =>
    inOurs.has(edge) && inTheirs.has(edge)
      ? true
      : inOurs.has(edge) !== inTheirs.has(edge) && !inBase.has(edge)
  let conflict = false
  const value: ManualLayout[] = []
  for (const [index, start] of edges.slice(0, -1).entries()) {
    const end = edges[index + 1] ?? start
    const one = mergeWhole(
      eachSide(sides, (list) => shownAt(list, (start + end) / 2)),
      (a, b) => same(a?.content, b?.content),
    )
    conflict ||= one.conflict
    if (one.value === null) continue
    const before = value.at(-1)
    const goesOn = before?.end === start && !divides(start) && same(contentOf(before), one.value.content)
    if (goesOn) value.splice(-1, 1, { ...before, end })
    else value.push({ ...one.value.layout, start, end })
  }
  const keyframes = value.reduce((sum, one) => sum + (one.kind === 'crop' ? one.keyframes.length : 0), 0)
  if (keyframes > MAX_KEYFRAMES) return { value: [...given[given.prefer]], conflict: true }
  return { value, conflict }
}

const contentOf = ({ start: _start, end: _end, ...content }: ManualLayout): unknown => content

function shownAt(list: readonly ManualLayout[], second: number): Shown {
  const layout = list.find(({ start, end }) => start <= second && second < end)
  return layout === undefined ? null : { layout, content: contentOf(layout) }
}

/** Aligns edges of the three lists that are nearly equal: they belong to the same shot boundary. */
function onSameEdges(given: ThreeWay<readonly ManualLayout[]>): ThreeWay<readonly ManualLayout[]> {
  const known: number[] = []
  const edge = (second: number): number => {
    const near = known.find((other) => Math.abs(other - second) < LEAST)
    if (near === undefined) known.push(second)
    return near ?? second
  }
  const moved = (list: readonly ManualLayout[]): ManualLayout[] =>
    list.map((one) => ({ ...one, start: edge(one.start), end: edge(one.end) }))
  return eachSide(given, moved)
}
