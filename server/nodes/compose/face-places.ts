/** Where the faces that were measured in the source are in the output: through the time map, the layout, the zooms. */
import { sourceSecond } from '../../contract/time-map/frames.ts'
import type { ClipFaces, FaceTrack } from '../../contract/clip-measurements.ts'
import type { LayoutSpan, Rect, TimeSpan, Zoom } from '../../contract/composition.ts'
import { faceAt, type Size } from '../layout/seen.ts'
import { cropAt, paneAt } from '../layout/view-at.ts'
import { referenceSize } from './read-config.ts'

/** What decides where a spot of the source is seen. */
export interface SeenSource {
  readonly source: Size
  readonly output: Size
  readonly timeMap: readonly TimeSpan[]
  readonly layout: readonly LayoutSpan[]
  readonly zooms: readonly Zoom[]
}

/** Seconds. A face that is first seen later than this, or was last seen longer ago, is considered absent. */
const GONE = 1
/** Face times are stored to a tenth of a millisecond. */
const ROUNDING = 0.001
/** A detector's box ends at the brow and the chin; a head is so much larger, to each side and upwards. */
const HEAD = { side: 0.15, top: 0.3, bottom: 0.1 } as const

/** The heads seen on an output frame, in shares of the output (0 to 1), as far as they are inside it. */
export function headsAt(faces: ClipFaces, frame: number, seen: SeenSource): Rect[] {
  const second = sourceSecond(seen.timeMap, frame)
  const span = seen.layout.find((entry) => entry.startFrame <= frame && frame < entry.endFrame)
  if (second === null || span === undefined) return []
  return faces.tracks
    .flatMap((track) => faceAt(track, second, GONE) ?? [])
    .map((face) => headOf(face))
    .flatMap((head) => laidOut(head, span, frame, seen))
    .map((head) => zoomed(head, frame, seen.zooms))
    .flatMap((head) => inside(head) ?? [])
}

/** The banners seen on an output frame, in shares of the output, as far as they are inside it. */
export function bannersAt({ banners = [] }: ClipFaces, frame: number, seen: SeenSource): Rect[] {
  const second = sourceSecond(seen.timeMap, frame)
  const span = seen.layout.find((entry) => entry.startFrame <= frame && frame < entry.endFrame)
  if (second === null || span === undefined) return []
  return banners
    .filter(({ start, end }) => start <= second && second <= end)
    .map(({ box: [x, y, width, height] }) => ({ x, y, width, height }))
    .flatMap((banner) => laidOut(banner, span, frame, seen))
    .map((banner) => zoomed(banner, frame, seen.zooms))
    .flatMap((banner) => inside(banner) ?? [])
}

export interface ShownFace {
  readonly track: FaceTrack
  /** The face's box in shares of the output, once for each view that shows some of the source there; may reach outside. */
  readonly places: readonly Rect[]
  readonly speaks: boolean
}

/** All faces in the source's picture on an output frame, whether cropped away or not. */
export function shownFaces(faces: ClipFaces, frame: number, seen: SeenSource): ShownFace[] {
  const span = seen.layout.find((entry) => entry.startFrame <= frame && frame < entry.endFrame)
  if (span === undefined) return []
  return facesOn(faces, frame, seen).map(({ track, face, second }) => {
    const places = laidOut(face, span, frame, seen).map((box) => zoomed(box, frame, seen.zooms))
    const speaks = track.speaking.some(({ start, end }) => start <= second && second < end)
    return { track, places, speaks }
  })
}

/** The faces that are in the source's whole picture on an output frame; its pixels. */
export function sourceFaces(
  faces: ClipFaces,
  frame: number,
  seen: Pick<SeenSource, 'source' | 'timeMap'>,
): Rect[] {
  const { width, height } = seen.source
  return facesOn(faces, frame, seen).map(({ face }) => ({
    x: face.x * width,
    y: face.y * height,
    width: face.width * width,
    height: face.height * height,
  }))
}

/** Which faces are present on an output frame, and where, in shares of the source. */
function facesOn(faces: ClipFaces, frame: number, { timeMap }: Pick<SeenSource, 'timeMap'>) {
  const second = sourceSecond(timeMap, frame)
  if (second === null) return []
  // A face track belongs to one shot: one that ended before the shot began is not carried over.
  const from = faces.shotStarts.findLast((start) => start <= second) ?? -Infinity
  const to = faces.shotStarts.find((start) => start > second) ?? Infinity
  return faces.tracks.flatMap((track) => {
    const [at] = track.points[0] ?? [Infinity]
    const face = at > from - ROUNDING && at < to - ROUNDING ? faceAt(track, second, GONE) : null
    return face === null ? [] : [{ track, face, second }]
  })
}

function headOf(face: Rect): Rect {
  return {
    x: face.x - HEAD.side * face.width,
    y: face.y - HEAD.top * face.height,
    width: face.width * (1 + 2 * HEAD.side),
    height: face.height * (1 + HEAD.top + HEAD.bottom),
  }
}

function laidOut(head: Rect, span: LayoutSpan, frame: number, seen: SeenSource): Rect[] {
  const { width, height } = seen.source
  const pixels = {
    x: head.x * width,
    y: head.y * height,
    width: head.width * width,
    height: head.height * height,
  }
  switch (span.kind) {
    case 'crop':
      return [within(pixels, cropAt(span, frame), { x: 0, y: 0, width: 1, height: 1 })]
    case 'fit': {
      const scale =
        Math.min(seen.output.width / span.crop.width, seen.output.height / span.crop.height) * span.zoom
      const w = (span.crop.width * scale) / seen.output.width
      const h = (span.crop.height * scale) / seen.output.height
      const shown = { x: (1 - w) / 2, y: (1 - h) / 2 + (span.yOffsetPercent ?? 0) / 100, width: w, height: h }
      return [within(pixels, span.crop, shown)]
    }
    case 'panes': {
      const reference = referenceSize(seen.output)
      return span.panes.flatMap((pane) => {
        const { rect } = pane
        const shown = {
          x: rect.x / reference.width,
          y: rect.y / reference.height,
          width: rect.width / reference.width,
          height: rect.height / reference.height,
        }
        return meet(within(pixels, paneAt(pane, span, frame), shown), shown) ?? []
      })
    }
  }
}

/** `rect` moved and scaled as `from` is to become `to`. */
function within(rect: Rect, from: Rect, to: Rect): Rect {
  const scaleX = to.width / from.width
  const scaleY = to.height / from.height
  return {
    x: to.x + (rect.x - from.x) * scaleX,
    y: to.y + (rect.y - from.y) * scaleY,
    width: rect.width * scaleX,
    height: rect.height * scaleY,
  }
}

/** As at the height of the zoom: its short ways in and out do not move a text. */
function zoomed(rect: Rect, frame: number, zooms: readonly Zoom[]): Rect {
  const zoom = zooms.find((entry) => entry.startFrame <= frame && frame < entry.endFrame)
  if (zoom === undefined) return rect
  const x = zoom.xPercent / 100
  const y = zoom.yPercent / 100
  return {
    x: x + (rect.x - x) * zoom.scale,
    y: y + (rect.y - y) * zoom.scale,
    width: rect.width * zoom.scale,
    height: rect.height * zoom.scale,
  }
}

function inside(rect: Rect): Rect | null {
  return meet(rect, { x: 0, y: 0, width: 1, height: 1 })
}

/** What two rectangles share; null: nothing. */
export function meet(a: Rect, b: Rect): Rect | null {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  const width = Math.min(a.x + a.width, b.x + b.width) - x
  const height = Math.min(a.y + a.height, b.y + b.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : null
}
