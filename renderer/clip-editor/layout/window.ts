/** Dragging a view's window over the source picture. Source pixels. PURE. */
import type { Rect } from '../../../server/contract/composition.ts'
import { CLOSEST } from './choices.ts'

export type Corner = 'nw' | 'ne' | 'sw' | 'se'
export const CORNERS: readonly Corner[] = ['nw', 'ne', 'sw', 'se']

interface Size {
  readonly width: number
  readonly height: number
}
interface Point {
  readonly x: number
  readonly y: number
}

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** Moved by so much, inside the picture. */
export function moved(rect: Rect, by: Point, source: Size): Rect {
  return {
    ...rect,
    x: within(rect.x + by.x, 0, Math.max(0, source.width - rect.width)),
    y: within(rect.y + by.y, 0, Math.max(0, source.height - rect.height)),
  }
}

/** With one corner at a point, or as near as its shape and the picture let it; the opposite corner stays. */
export function resized(rect: Rect, corner: Corner, to: Point, source: Size): Rect {
  const shape = rect.width / rect.height
  const west = corner.endsWith('w')
  const north = corner.startsWith('n')
  const anchor = { x: west ? rect.x + rect.width : rect.x, y: north ? rect.y + rect.height : rect.y }
  const largest = Math.min(source.width, source.height * shape)
  const available = Math.min(
    west ? anchor.x : source.width - anchor.x,
    (north ? anchor.y : source.height - anchor.y) * shape,
  )
  const reach = Math.max((to.x - anchor.x) * (west ? -1 : 1), (to.y - anchor.y) * (north ? -1 : 1) * shape)
  const width = Math.min(available, within(reach, largest / CLOSEST, largest))
  const height = width / shape
  return { x: west ? anchor.x - width : anchor.x, y: north ? anchor.y - height : anchor.y, width, height }
}

/** Scaled around its middle. */
export function closer(rect: Rect, times: number, source: Size): Rect {
  const shape = rect.width / rect.height
  const largest = Math.min(source.width, source.height * shape)
  const width = within(rect.width / times, largest / CLOSEST, largest)
  const height = width / shape
  const around = {
    x: rect.x + (rect.width - width) / 2,
    y: rect.y + (rect.height - height) / 2,
    width,
    height,
  }
  return moved(around, { x: 0, y: 0 }, source)
}
