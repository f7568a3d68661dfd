/**
 * Crops that change their size while they move: each frame is resampled with sub-pixel precision by one `perspective`
 * filter from the area that contains all crops, and then scaled to the output's size. PURE.
 */
import type { Composition, CropSpan, Rect } from '../../../server/contract/composition.ts'
import { decimal, piecewise, type Piece, displayPixels, scaleFilter, toneMap } from './colour.ts'

/** Pixels around the rectangles for the resampling filter. */
const MARGIN = 4

const sizesDiffer = (a: Rect, b: Rect): boolean => a.width !== b.width || a.height !== b.height

/** Whether consecutive crops differ in size. */
export function grows(spans: readonly CropSpan[]): boolean {
  const [first] = spans
  return (
    first !== undefined &&
    spans.some(({ crop, cropTo = crop }) => sizesDiffer(crop, first.crop) || sizesDiffer(cropTo, first.crop))
  )
}

/** The filters for consecutive crops; frames count from the first one's start. */
export function growFilters(composition: Composition, spans: readonly CropSpan[]): string {
  const { output } = composition
  const around = boundsOf(spans, composition.source)
  const cut = `${displayPixels(composition)},crop=${around.width}:${around.height}:${around.x}:${around.y}`
  const seen = perspective(spans, around)
  const size = `${output.width}:${output.height}`
  // `perspective` supports eight bits only, so it follows the tone mapping.
  if (composition.source.hdr) {
    const mapped = `${scaleFilter(composition, around.width, around.height)},setsar=1${toneMap(composition)}`
    return `${cut},${mapped},${seen},scale=${size}:flags=bicubic,setsar=1`
  }
  const scaled = scaleFilter(composition, output.width, output.height)
  return `${cut},${seen},${scaled},setsar=1${toneMap(composition)}`
}

/** The area that contains all rectangles, with a margin where the picture has one; even positions and sizes. */
function boundsOf(spans: readonly CropSpan[], source: { readonly width: number; readonly height: number }) {
  const rects = spans.flatMap(({ crop, cropTo }) => (cropTo === undefined ? [crop] : [crop, cropTo]))
  const along = (
    start: (rect: Rect) => number,
    length: (rect: Rect) => number,
    all: number,
  ): [number, number] => {
    const most = Math.floor(all / 2) * 2
    const from = Math.max(0, Math.floor((Math.min(...rects.map(start)) - MARGIN) / 2) * 2)
    const end = Math.max(...rects.map((rect) => start(rect) + length(rect)))
    return [from, Math.max(2, Math.min(most, Math.ceil((end + MARGIN) / 2) * 2) - from)]
  }
  const [x, width] = along(
    (rect) => rect.x,
    (rect) => rect.width,
    source.width,
  )
  const [y, height] = along(
    (rect) => rect.y,
    (rect) => rect.height,
    source.height,
  )
  return { x, y, width, height }
}

/** Maps each frame's rectangle to the whole of `around`. */
function perspective(spans: readonly CropSpan[], around: Rect): string {
  const start = spans[0]?.startFrame ?? 0
  const edge = (place: (rect: Rect) => number): string =>
    piecewise(
      '(in-1)',
      spans
        .map((span) => edgePiece(span, start, place))
        .filter((piece, index, all) => index === 0 || all[index - 1]?.value !== piece.value),
    )
  // `perspective` counts from pixel corners and scalers from pixel centres: they differ by half a pixel's size.
  const inset = (part: number, all: number): number => (part / all - 1) / 2
  const left = edge(({ x, width }) => x - around.x + inset(width, around.width))
  const right = edge(({ x, width }) => x + width - around.x + inset(width, around.width))
  const top = edge(({ y, height }) => y - around.y + inset(height, around.height))
  const bottom = edge(({ y, height }) => y + height - around.y + inset(height, around.height))
  const corners = `x0=${left}:y0=${top}:x1=${right}:y1=${top}:x2=${left}:y2=${bottom}:x3=${right}:y3=${bottom}`
  return `perspective=${corners}:interpolation=cubic:sense=source:eval=frame`
}

function edgePiece(
  { crop, cropTo = crop, eased, startFrame, endFrame }: CropSpan,
  start: number,
  place: (rect: Rect) => number,
): Piece {
  const from = startFrame - start
  const value = place(crop)
  const way = place(cropTo) - value
  if (way === 0) return { from, value: decimal(value, 3) }
  const length = endFrame - startFrame
  if (eased === true) {
    const time = `st(1\\,(in-${from + 1})/${length})`
    return { from, value: `${decimal(value, 3)}+${decimal(way, 3)}*${time}*ld(1)*(3-2*ld(1))` }
  }
  return {
    from,
    value: `${decimal(value - (way / length) * (from + 1), 3)}+${decimal(way / length)}*in`,
  }
}
