/** Puts manual layouts, on output frames, into the layout of the nodes. PURE. */
import { frameOnAt, middleSecond, playedPieces, type Piece } from '../../contract/time-map/frames.ts'
import { legsOf, type CropSpan, type LayoutSpan, type Pane, type Rect } from '../../contract/composition.ts'
import type { ManualLayout, ManualKeyframe, ManualView } from '../../contract/manual-overrides/layouts.ts'
import { rationalToNumber, type FrameRange } from '../../contract/time.ts'
import { sourceSize, largest, whole, inside } from '../compose/layout.ts'
import type { ComposeContext } from '../declare.ts'
import { smoothstep } from '../layout/camera-grid.ts'
import { followHeads, groupsOf } from '../layout/follow-heads.ts'
import { countMoves, joined } from '../layout/frame-people.ts'
import { paneRects } from '../layout/panes.ts'
import { peopleIn, playedShots, usualFace, type Size } from '../layout/seen.ts'
import { cropAt } from '../layout/view-at.ts'

type Context = Pick<ComposeContext, 'facts' | 'output' | 'timeMap' | 'document'>

/** Frames of one played piece of a stretch. */
/** Moves of a clip, at most: each is some words of ffmpeg's command line, which must stay short of 128 KiB. */
export const MAX_MOVES = 100
/** When following somebody needs too many moves, each may become so many times dearer. */
const DEAREST = 4096

/** `layout` with the manual ranges in it; neither has gaps. Where somebody to follow is not seen, the layout stays. */
export function arrangeLayout(
  layouts: readonly ManualLayout[],
  layout: readonly LayoutSpan[],
  context: Context,
): LayoutSpan[] {
  for (let moveCosts = 1; ; moveCosts *= 4) {
    const made = layouts.flatMap((one) => spansOf(one, context, moveCosts))
    const spans = joined(put(made, layout))
    if (countMoves(spans) <= MAX_MOVES) return spans
    // Manual layouts take precedence over the nodes' own.
    if (moveCosts >= DEAREST) return joined(put(made, layout.map(atRest)))
  }
}

/** Frames of a range in which somebody should be followed but is not seen in that shot. */
export function unseenFrames(layout: ManualLayout, context: Context): number {
  if (layout.kind !== 'follow') return 0
  const count = (spans: readonly FrameRange[]): number =>
    spans.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0)
  return count(playedPieces(layout, context.timeMap)) - count(spansOf(layout, context, 1))
}

function atRest(span: LayoutSpan): LayoutSpan {
  if (span.kind === 'fit') return span
  if (span.kind === 'panes') return { ...span, panes: span.panes.map(({ crop, rect }) => ({ crop, rect })) }
  const { cropTo: _to, eased: _eased, ...rest } = span
  return rest
}

/** The layout spans of a range, in order; fewer frames than the range has where somebody followed is not seen. */
function spansOf(layout: ManualLayout, context: Context, moveCosts: number): LayoutSpan[] {
  const pieces = playedPieces(layout, context.timeMap)
  const source = sourceSize(context)
  switch (layout.kind) {
    case 'crop':
      return pieces.flatMap((piece) => movedCrop(layout, piece, source, context.output))
    case 'fit':
      return pieces.map(({ startFrame, endFrame }) => ({
        kind: 'fit',
        startFrame,
        endFrame,
        crop: whole(source),
        zoom: Math.max(1, layout.zoom),
        background: layout.background,
      }))
    case 'split': {
      const rects = paneRects(layout.views.length, context.output)
      const panes = layout.views.flatMap((view, at) => {
        const rect = rects[at]
        return rect === undefined ? [] : [{ crop: viewRect(view, source, rect.width / rect.height), rect }]
      })
      return pieces.map(({ startFrame, endFrame }) => ({
        kind: 'panes',
        startFrame,
        endFrame,
        panes,
        background: 'blur',
      }))
    }
    case 'follow':
      return followed(layout, pieces, context, moveCosts)
  }
}

/** Interpolates between keyframes; a cut ends a move smoothly, and the next piece continues where the source does. */
function movedCrop(
  { keyframes, eased }: Extract<ManualLayout, { kind: 'crop' }>,
  { startFrame, endFrame, span }: Piece,
  source: Size,
  output: Size,
): CropSpan[] {
  const shape = output.width / output.height
  const rectAt = (frame: number) =>
    viewRect(viewAt(keyframes, eased, middleSecond(span, frame)), source, shape)
  /** The view of a keyframe on this frame; of several, the last. */
  const keyed = new Map(
    keyframes.flatMap((keyframe) => {
      const at = frameOnAt(span, keyframe.at)
      return at === null ? [] : [[at, viewRect(keyframe, source, shape)] as const]
    }),
  )
  const inside = [...keyed.keys()].filter((frame) => frame > startFrame && frame < endFrame)
  const turns = [startFrame, ...inside.toSorted((a, b) => a - b), endFrame]
  return turns.slice(0, -1).map((from, index) => {
    const to = turns[index + 1] ?? endFrame
    const crop = keyed.get(from) ?? rectAt(from)
    const cropTo = keyed.get(to) ?? rectAt(to)
    const moves = crop.x !== cropTo.x || crop.y !== cropTo.y || crop.width !== cropTo.width
    return {
      kind: 'crop',
      startFrame: from,
      endFrame: to,
      crop,
      ...(moves ? { cropTo, ...(eased ? { eased: true } : {}) } : {}),
    }
  })
}

/** One person, in the shots in which that person is seen. */
function followed(
  layout: Extract<ManualLayout, { kind: 'follow' }>,
  pieces: readonly Piece[],
  context: Context,
  moveCosts: number,
): LayoutSpan[] {
  const { output, document, timeMap } = context
  const { faces } = document
  if (faces === undefined) return []
  const source = sourceSize(context)
  const most = largest(source, output.width / output.height)
  const zoom = Math.max(1, layout.zoom)
  const view = { width: most.width / zoom, height: most.height / zoom }
  const framesPerSecond = rationalToNumber(output.frameRate)
  return playedShots(faces, timeMap).flatMap((shot) => {
    const person = shot.measured ? peopleIn(shot, faces, source).find(({ id }) => id === layout.person) : null
    if (person === null || person === undefined) return []
    const usual = usualFace(person.faces)
    return pieces.flatMap((piece) => {
      const startFrame = Math.max(piece.startFrame, shot.startFrame)
      const endFrame = Math.min(piece.endFrame, shot.endFrame)
      if (endFrame <= startFrame) return []
      const heads = groupsOf([person], source).slice(startFrame - shot.startFrame, endFrame - shot.startFrame)
      const following = {
        startFrame,
        view,
        usual,
        source,
        framesPerSecond,
        moveCosts,
        banners: [],
        widens: false,
      }
      return followHeads(heads, following)
    })
  })
}

/** Replaces parts of `layout` by `made`: sorted pieces without overlap, and the layout between them. */
function put(made: readonly LayoutSpan[], layout: readonly LayoutSpan[]): LayoutSpan[] {
  const between = layout.flatMap((span) => {
    const parts: LayoutSpan[] = []
    let from = span.startFrame
    for (const { startFrame, endFrame } of made) {
      if (endFrame <= from || startFrame >= span.endFrame) continue
      if (startFrame > from) parts.push(partOf(span, from, startFrame))
      from = endFrame
    }
    if (from < span.endFrame) parts.push(partOf(span, from, span.endFrame))
    return parts
  })
  return [...between, ...made].toSorted((a, b) => a.startFrame - b.startFrame)
}

/** What a span shows on some of its frames. A part of a gentle move is gentle in itself. */
function partOf(span: LayoutSpan, startFrame: number, endFrame: number): LayoutSpan {
  if (startFrame === span.startFrame && endFrame === span.endFrame) return span
  if (span.kind === 'panes')
    return { ...span, startFrame, endFrame, panes: panesOf(span, startFrame, endFrame) }
  if (span.kind === 'fit' || span.cropTo === undefined) return { ...span, startFrame, endFrame }
  return partOfCrop(span, startFrame, endFrame)
}

/** The panes of some frames of a span. */
function panesOf(span: Extract<LayoutSpan, { kind: 'panes' }>, startFrame: number, endFrame: number): Pane[] {
  return span.panes.map((pane) => {
    if (pane.legs === undefined) return pane
    const legs = legsOf(pane, span)
      .filter((leg) => leg.startFrame < endFrame && leg.endFrame > startFrame)
      .map((leg) => {
        const from = Math.max(leg.startFrame, startFrame)
        const { kind: _kind, ...part } = partOfCrop(leg, from, Math.min(leg.endFrame, endFrame))
        return part
      })
    return { ...pane, crop: legs[0]?.crop ?? pane.crop, legs }
  })
}

function partOfCrop(span: CropSpan, startFrame: number, endFrame: number): CropSpan {
  if (span.cropTo === undefined) return { ...span, startFrame, endFrame }
  return {
    ...span,
    startFrame,
    endFrame,
    crop: cropAt(span, startFrame),
    cropTo: cropAt(span, endFrame),
  }
}

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
