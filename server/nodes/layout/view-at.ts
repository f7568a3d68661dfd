/** Where a point of the source appears in the output, and which face to focus on. */
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import {
  legsOf,
  type Composition,
  type CropSpan,
  type LayoutSpan,
  type Pane,
  type Rect,
} from '../../contract/composition.ts'
import type { FrameRange } from '../../contract/time.ts'
import { smoothstep } from './camera-grid.ts'
import { faceAt, type Point, type Size } from './seen.ts'

export interface Percent {
  readonly xPercent: number
  readonly yPercent: number
}

type Output = Pick<Composition['output'], 'width' | 'height'>

/** The source's point (display pixels) in percent of the output; null where the layout shows several views, or not it. */
export function percentOf(span: LayoutSpan, frame: number, point: Point, output: Output): Percent | null {
  if (span.kind === 'panes') return null
  const [share, shown] = span.kind === 'crop' ? [1, cropAt(span, frame)] : [0, span.crop]
  const x = (point.x - shown.x) / shown.width
  const y = (point.y - shown.y) / shown.height
  if (x < 0 || x > 1 || y < 0 || y > 1) return null
  if (share === 1) return { xPercent: x * 100, yPercent: y * 100 }
  const zoom = span.kind === 'fit' ? span.zoom : 1
  const scale = Math.min(output.width / shown.width, output.height / shown.height) * zoom
  const down = span.kind === 'fit' ? (span.yOffsetPercent ?? 0) : 0
  return {
    xPercent: 50 + ((x - 0.5) * shown.width * scale * 100) / output.width,
    yPercent: 50 + down + ((y - 0.5) * shown.height * scale * 100) / output.height,
  }
}

/** The rectangle of the source that a crop shows on a frame of its span. */
export function cropAt(span: CropSpan, frame: number): Rect {
  const { crop, cropTo, eased } = span
  if (cropTo === undefined) return crop
  const time = (frame - span.startFrame) / (span.endFrame - span.startFrame)
  const way = eased === true ? smoothstep(time) : time
  const along = (pick: (rect: Rect) => number): number => pick(crop) + (pick(cropTo) - pick(crop)) * way
  return {
    x: along(({ x }) => x),
    y: along(({ y }) => y),
    width: along(({ width }) => width),
    height: along(({ height }) => height),
  }
}

/** The rectangle of the source that a pane of a span shows on a frame of it. */
export function paneAt(pane: Pane, span: FrameRange, frame: number): Rect {
  const leg = legsOf(pane, span).findLast(({ startFrame }) => startFrame <= frame)
  return leg === undefined ? pane.crop : cropAt(leg, frame)
}

/** The parts of the source that a span shows on a frame of it. */
export function shownParts(span: LayoutSpan, frame: number): readonly Rect[] {
  if (span.kind === 'crop') return [cropAt(span, frame)]
  return span.kind === 'fit' ? [span.crop] : span.panes.map((pane) => paneAt(pane, span, frame))
}

/** A face is looked at for so long before it is first found and after it is last found, seconds. */
const AROUND = 1

/** Centre of the face that speaks at a source second, or of the largest face; null: no face. */
export function speakingFace(faces: ClipFaces, second: number, source: Size): Point | null {
  const seen = faces.tracks.flatMap((track) => {
    const face = faceAt(track, second, AROUND)
    if (face === null) return []
    const { x, y, width, height } = face
    const speaks = track.speaking.some(({ start, end }) => start <= second && second < end)
    return [{ x: (x + width / 2) * source.width, y: (y + height / 2) * source.height, height, speaks }]
  })
  const [best] = seen.toSorted((a, b) => Number(b.speaks) - Number(a.speaks) || b.height - a.height)
  return best === undefined ? null : { x: best.x, y: best.y }
}
