/** Drags on the timeline in seconds of the source, with snapping. */
import { keptOf } from '../../../server/contract/time-map/cut.ts'
import { followPointer } from '../dragging.ts'
import { rateAt } from './axis.ts'
import { itemLane, type ItemLaneName } from './items.ts'
import { snapDelta } from './stretches.ts'
import type { Timeline } from './timeline.svelte.ts'

const SNAP_PIXELS = 7
/** A pointer that has moved less has clicked. */
const CLICK_PIXELS = 3

export interface Drag {
  /** Source seconds that are dragged along, and that snap. */
  readonly edges: readonly number[]
  /**
   * Moves the item by so many source seconds since the drag began, and returns by how many it could be moved; `id` is the
   * same throughout the drag.
   */
  readonly move: (delta: number, id: symbol) => number
  readonly click?: (event: PointerEvent) => void
}

/** What a drag snaps to: edges of words, segments and other items, and the playhead. Sorted. */
function targets({ clip, player }: Timeline, own: readonly number[]): number[] {
  const { view } = clip
  const lanes: readonly ItemLaneName[] = ['zooms', 'broll', 'overlays']
  const all = [
    ...view.editor.words.flatMap(({ start, end }) => [start, end]),
    ...keptOf(view.edit.cut).flatMap(({ start, end }) => [start, end]),
    ...lanes.flatMap((lane) =>
      itemLane(lane)
        .read(view)
        .flatMap(({ start, end }) => [start, end]),
    ),
    player.view.frameStart,
  ]
  const others = all.filter((second) => own.every((edge) => Math.abs(edge - second) > 1e-6))
  return others.toSorted((a, b) => a - b)
}

/** Begins a drag with a pointer that has gone down. */
export function beginDrag(timeline: Timeline, event: PointerEvent, { edges, move, click }: Drag): void {
  if (event.button !== 0) return
  event.stopPropagation()
  const id = Symbol('drag')
  const { perSecond } = timeline
  const from = timeline.seen.scrollLeft
  const fromX = event.clientX
  const rate = rateAt(timeline.axis, edges[0] ?? 0)
  const known = targets(timeline, edges)
  let moving = false
  const onMove = (next: PointerEvent): void => {
    const pixels = next.clientX - fromX + timeline.seen.scrollLeft - from
    if (!moving && Math.abs(pixels) < CLICK_PIXELS) return
    moving = true
    const free = (pixels / perSecond) * rate
    const { delta, target } =
      timeline.seen.snapping && !next.altKey
        ? snapDelta(edges, free, known, (SNAP_PIXELS / perSecond) * rate)
        : { delta: free, target: null }
    const moved = move(delta, id)
    timeline.seen.snapped = Math.abs(moved - delta) < 0.002 ? target : null
  }
  followPointer(onMove, (last) => {
    timeline.seen.snapped = null
    if (!moving) click?.(last)
  })
}
