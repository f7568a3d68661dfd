/** The slow motion of a picture within its place: of stills and of videos, in preview and export. PURE. */
import type { ImageLayer, Rect } from '../../server/contract/composition.ts'

/** The part of the picture that its slow motion shows on a frame: how many times larger, and where from 0 to 1. */
export interface Drifted {
  readonly grown: number
  readonly along: number
}

export function driftedAt(
  {
    drift = 0,
    driftTo,
    startFrame,
    endFrame,
  }: Pick<ImageLayer, 'drift' | 'driftTo' | 'startFrame' | 'endFrame'>,
  frame: number,
): Drifted {
  const share = (frame - startFrame) / Math.max(1, endFrame - startFrame)
  if (driftTo === undefined) return { grown: 1 + drift * share, along: 0.5 }
  if (driftTo === 'out') return { grown: 1 + drift * (1 - share), along: 0.5 }
  return { grown: 1 + drift, along: driftTo === 'right' ? share : 1 - share }
}

/** What is left of a part of the picture when it is shown so many times larger. Not on whole pixels: it must not jump. */
export function driftedPart(part: Rect, { grown, along }: Drifted): Rect {
  const width = part.width / grown
  const height = part.height / grown
  return { x: part.x + (part.width - width) * along, y: part.y + (part.height - height) / 2, width, height }
}
