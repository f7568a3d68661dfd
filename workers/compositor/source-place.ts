/**
 * Which time of the source a frame shows, and where its picture is, exactly as the export's ffmpeg graph does it (even
 * pixels where ffmpeg crops and scales, fractions where it resamples). Used by the preview. PURE.
 */
import {
  legsOf,
  sourceFrameOn,
  sourceFrames,
  type Composition,
  type CropSpan,
  type LayoutSpan,
  type Rect,
  type Zoom,
} from '../../server/contract/composition.ts'

type Output = Pick<Composition['output'], 'width' | 'height'>

/** A part of the source, in its display pixels, and where it is shown, output pixels. */
export interface SourceView {
  readonly from: Rect
  readonly to: Rect
}

export interface SourcePlace {
  /** What is blurred and darkened over the whole output, under the views; null: black. */
  readonly blurred: Rect | null
  /** In painting order. */
  readonly views: readonly SourceView[]
}

function even(value: number, least = 2): number {
  return Math.max(least, Math.round(value / 2) * 2)
}

const smooth = (share: number): number => {
  const t = Math.min(1, Math.max(0, share))
  return t * t * (3 - 2 * t)
}

/** Position of the source in the output, before zooms. */
export function placeSource(composition: Composition, frame: number): SourcePlace {
  const at = sourceFrameOn(composition, frame)
  const span = composition.layout.findLast(({ startFrame }) => startFrame <= at) ?? composition.layout[0]
  const { output, source } = composition
  switch (span?.kind) {
    case undefined:
      return { blurred: null, views: [] }
    case 'crop':
      return {
        blurred: null,
        views: [{ from: cropOf(span, at, source), to: { x: 0, y: 0, ...sizeOf(output) } }],
      }
    case 'fit':
      return placeFit(span, output, source)
    case 'panes': {
      const views = span.panes.flatMap((pane) => {
        const leg = legsOf(pane, span).findLast(({ startFrame }) => startFrame <= at)
        return leg === undefined ? [] : [{ from: cropOf(leg, at, source), to: panePixels(pane.rect, output) }]
      })
      const blurred = { x: 0, y: 0, width: source.width, height: source.height }
      return { blurred: span.background === 'blur' ? blurred : null, views }
    }
  }
}

const sizeOf = ({ width, height }: Output): Output => ({ width, height })

/** The part of the source that a crop shows on a frame. */
export function cropOf(span: CropSpan, frame: number, source: Output): Rect {
  const { crop, cropTo, eased } = span
  if (cropTo === undefined) return stillCrop(crop, source)
  const time = (frame - span.startFrame) / (span.endFrame - span.startFrame)
  const way = eased === true ? smooth(time) : time
  if (crop.width !== cropTo.width || crop.height !== cropTo.height) return between(crop, cropTo, way)
  if (crop.x === cropTo.x && crop.y === cropTo.y) return stillCrop(crop, source)
  const along = (from: number, to: number, length: number, all: number): [number, number] => {
    const size = Math.min(even(length), Math.floor(all / 2) * 2)
    const inside = (value: number): number => Math.min(Math.max(value, 0), all - size)
    return [inside(from) + (inside(to) - inside(from)) * way, size]
  }
  const [x, width] = along(crop.x, cropTo.x, crop.width, source.width)
  const [y, height] = along(crop.y, cropTo.y, crop.height, source.height)
  return { x, y, width, height }
}

/** On the way to another size every frame is resampled, at fractions of a pixel. */
function between(from: Rect, to: Rect, way: number): Rect {
  const along = (pick: (rect: Rect) => number): number => pick(from) + (pick(to) - pick(from)) * way
  return {
    x: along(({ x }) => x),
    y: along(({ y }) => y),
    width: along(({ width }) => width),
    height: along(({ height }) => height),
  }
}

/** ffmpeg cuts pictures with colour of half the size at whole pairs of pixels. */
function stillCrop(crop: Rect, source: Output): Rect {
  const along = (at: number, length: number, all: number): [number, number] => {
    const size = Math.min(all, even(length))
    return [Math.min(Math.max(0, Math.floor(at / 2 + 1e-6) * 2), all - size), size]
  }
  if (crop.width >= source.width && crop.height >= source.height) return { x: 0, y: 0, ...sizeOf(source) }
  const [x, width] = along(crop.x, crop.width, source.width)
  const [y, height] = along(crop.y, crop.height, source.height)
  return { x, y, width, height }
}

function placeFit(span: Extract<LayoutSpan, { kind: 'fit' }>, { width, height }: Output, source: Output) {
  const from = stillCrop(span.crop, source)
  const scale = Math.min(width / span.crop.width, height / span.crop.height) * span.zoom
  const w = even(span.crop.width * scale)
  const h = even(span.crop.height * scale)
  const shownW = Math.min(w, width)
  const shownH = Math.min(h, height)
  const shift = Math.round(((span.yOffsetPercent ?? 0) / 200) * height) * 2
  const whole = shownW === width && shownH === height
  const black = span.background === 'black' || whole
  const middle = (height - shownH) / 2 + shift
  const top = black ? Math.max(0, Math.min(height - shownH, even(middle, 0))) : middle
  const kept = { width: (from.width * shownW) / w, height: (from.height * shownH) / h }
  return {
    blurred: black ? null : from,
    views: [
      {
        from: {
          x: from.x + (from.width - kept.width) / 2,
          y: from.y + (from.height - kept.height) / 2,
          ...kept,
        },
        to: { x: (width - shownW) / 2, y: top, width: shownW, height: shownH },
      },
    ],
  }
}

function panePixels(rect: Rect, output: Output): Rect {
  const unit = Math.min(output.width, output.height) / 1080
  const edge = (value: number, most: number): number => Math.min(even(value * unit, 0), most)
  const x = edge(rect.x, output.width - 2)
  const y = edge(rect.y, output.height - 2)
  return {
    x,
    y,
    width: Math.max(2, edge(rect.x + rect.width, output.width) - x),
    height: Math.max(2, edge(rect.y + rect.height, output.height) - y),
  }
}

/** The part of the laid-out picture that fills the output on a frame; null: all of it. */
export function zoomView(composition: Composition, frame: number): Rect | null {
  return zoomOn(composition, frame)?.view ?? null
}

/** The zoom that a frame is in, and the part of the picture that it shows there. */
export function zoomOn(composition: Composition, frame: number): { zoom: Zoom; view: Rect } | null {
  const { endFrame: frames } = sourceFrames(composition)
  const at = sourceFrameOn(composition, frame)
  const zoom = composition.zooms?.find(
    ({ startFrame, endFrame, scale }) => startFrame <= at && at < Math.min(endFrame, frames) && scale > 1,
  )
  if (zoom === undefined) return null
  const share = closeness({ ...zoom, endFrame: Math.min(zoom.endFrame, frames) }, at)
  const { width, height } = composition.output
  const w = even(width / zoom.scale)
  const h = even(height / zoom.scale)
  const x = even(((width - w) * zoom.xPercent) / 100, 0)
  const y = even(((height - h) * zoom.yPercent) / 100, 0)
  const view = {
    x: x * share,
    y: y * share,
    width: width + (w - width) * share,
    height: height + (h - height) * share,
  }
  return { zoom, view }
}

/** Progress of a zoom; zooming out is shortened when there is no room for both. */
function closeness({ startFrame, endFrame, easeInFrames, easeOutFrames }: Zoom, frame: number): number {
  const grown = Math.min(startFrame + easeInFrames, endFrame)
  const leaves = Math.max(grown, endFrame - easeOutFrames)
  if (frame < grown) return smooth((frame - startFrame) / easeInFrames)
  return frame < leaves ? 1 : smooth((endFrame - frame) / (endFrame - leaves))
}
