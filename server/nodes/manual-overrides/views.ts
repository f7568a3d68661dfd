/** Rectangles of the source for manually set views, and their interpolation between keyframes. */
import type { Rect } from '../../contract/composition.ts'
import type { ManualKeyframe, ManualView } from '../../contract/manual-overrides/layouts.ts'
import { smoothstep } from '../layout/camera-path.ts'
import type { Size } from '../layout/seen.ts'
import { inside, largest } from '../compose/layout.ts'

/** A view is never smaller, pixels. */
const LEAST = 16

/** The rectangle of the source that a view of this shape (width to height) shows: inside the picture, at rest on whole pairs of pixels. */
export function viewRect(view: ManualView, source: Size, shape: number): Rect {
  const most = largest(source, shape)
  const closest = Math.max(1, Math.min(most.width, most.height) / LEAST)
  const zoom = Math.min(Math.max(1, view.zoom), closest)
  const width = most.width / zoom
  const height = most.height / zoom
  return {
    x: inside(view.x * source.width - width / 2, width, 0, source.width),
    y: inside(view.y * source.height - height / 2, height, 0, source.height),
    width,
    height,
  }
}

/** The view whose rectangle is closest to this one. */
export function viewOfRect(rect: Rect, source: Size, shape: number): ManualView {
  const within = (value: number): number => Math.min(1, Math.max(0, value))
  return {
    x: within((rect.x + rect.width / 2) / source.width),
    y: within((rect.y + rect.height / 2) / source.height),
    zoom: Math.min(8, Math.max(1, largest(source, shape).width / rect.width)),
  }
}

/** The view at a source second. Before the first keyframe and after the last it stays; `keyframes` is not empty. */
export function viewAt(keyframes: readonly ManualKeyframe[], eased: boolean, second: number): ManualView {
  const next = keyframes.findIndex(({ at }) => at > second)
  const before = keyframes[next === -1 ? keyframes.length - 1 : Math.max(0, next - 1)]
  const after = next <= 0 ? before : keyframes[next]
  if (before === undefined || after === undefined) return { x: 0.5, y: 0.5, zoom: 1 }
  const time = after === before ? 0 : (second - before.at) / Math.max(1e-6, after.at - before.at)
  const way = eased ? smoothstep(time) : time
  const along = (pick: (view: ManualView) => number): number =>
    pick(before) + (pick(after) - pick(before)) * way
  return { x: along(({ x }) => x), y: along(({ y }) => y), zoom: along(({ zoom }) => zoom) }
}
