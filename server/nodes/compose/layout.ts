/** How the source fills the output: rectangles in display pixels of the source. */
import type { LayoutSpan, Rect } from '../../contract/composition.ts'
import type { ComposeContext } from '../declare.ts'
import type { Face, Size, Point } from '../layout/seen.ts'

type Frame = Pick<ComposeContext, 'facts' | 'output' | 'durationFrames'>

/** Size of the source picture; a source without one counts as having the output's. */
export function sourceSize({ facts, output }: Pick<ComposeContext, 'facts' | 'output'>): Size {
  const { width, height } = facts.video ?? output
  return { width, height }
}

/** The largest centred rectangle of the source with the output's shape, held for the whole clip. */
export function cropLayout(context: Frame): LayoutSpan[] {
  const { width, height } = context.output
  const crop = middleOf(whole(sourceSize(context)), width / height)
  return [{ kind: 'crop', startFrame: 0, endFrame: context.durationFrames, crop }]
}

/** The whole source, centred, over its own blur or black. `zoom` 1 just fits; `yOffsetPercent` moves it down. */
export function fitLayout(
  context: Frame,
  options: { zoom: number; blur: boolean; yOffsetPercent: number },
): LayoutSpan[] {
  const offset = Math.min(100, Math.max(-100, options.yOffsetPercent))
  return [
    {
      kind: 'fit',
      startFrame: 0,
      endFrame: context.durationFrames,
      crop: whole(sourceSize(context)),
      zoom: options.zoom,
      background: options.blur ? 'blur' : 'black',
      ...(offset === 0 ? {} : { yOffsetPercent: offset }),
    },
  ]
}

/** Height of a face's centre within its view, from the top: the eyes are then in the upper third. */
const FACE_HEIGHT = 0.36

/** A view is at least this much wider than what it shows. */
const AIR = 1.3

/** The largest size of this shape (width to height) that fits. */
export function largest(within: Size, shape: number): Size {
  return within.width / within.height > shape
    ? { width: within.height * shape, height: within.height }
    : { width: within.width, height: within.width / shape }
}

/** Size of a view in which the face takes `share` of the height, at most `closest` times closer than the largest. */
export function sizeAround(face: Face, source: Size, shape: number, share: number, closest: number): Size {
  const most = largest(source, shape)
  const height = Math.min(
    most.height,
    Math.max(most.height / closest, face.height / share, (face.width * AIR) / shape),
  )
  return { width: height * shape, height }
}

/** Left and top of a view of this size that has the face in its middle, in the upper third, inside `bounds`. */
export function placeAround(face: Pick<Face, 'x' | 'y'>, size: Size, bounds: Rect): Point {
  return {
    x: inside(face.x - size.width / 2, size.width, bounds.x, bounds.width),
    y: inside(face.y - size.height * FACE_HEIGHT, size.height, bounds.y, bounds.height),
  }
}

/** Aligned to even pixels where there is room, so that a resting view needs no resampling. */
export function inside(value: number, length: number, from: number, all: number): number {
  const last = from + Math.max(0, all - length)
  return Math.min(
    Math.max(Math.round(value / 2) * 2, from),
    Math.floor(last / 2) * 2 > from ? Math.floor(last / 2) * 2 : last,
  )
}

export function whole(source: Size): Rect {
  return { x: 0, y: 0, width: source.width, height: source.height }
}

export function middleOf(bounds: Rect, shape: number): Rect {
  const size = largest(bounds, shape)
  return {
    x: bounds.x + (bounds.width - size.width) / 2,
    y: bounds.y + (bounds.height - size.height) / 2,
    ...size,
  }
}
