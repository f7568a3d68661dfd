/**
 * A rectangle of the source that fills the output, still or moving. `crop` alone places a rectangle on even pixels only, so
 * that a slow move visibly jerks. A moving rectangle is therefore cut out with a margin, shifted by the remaining fraction
 * (resampled by `perspective` at the source's size where that is cheapest), and cut to size. PURE.
 */
import type { Composition, CropSpan, Rect } from '../../../server/contract/composition.ts'
import { decimal, piecewise, type Piece, displayPixels, even, scaleFilter, toneMap } from './colour.ts'
import { growFilters, grows } from './render-grow.ts'

/** Pixels around the rectangle for the resampling filter and for the fraction. */
const BEFORE = 2
const MARGIN = 6

/** The filters for consecutive crops; frames count from the first one's start. */
export function cropFilters(composition: Composition, spans: readonly CropSpan[]): string {
  const { width, height } = composition.output
  const first = spans[0]
  if (first === undefined) return 'null'
  if (grows(spans)) return growFilters(composition, spans)
  if (hasMovingCrop(spans))
    return composition.output.hdr === undefined
      ? movingFilters(composition, spans, first)
      : deepMovingFilters(composition, spans, first)
  const cut = stillCrop(
    composition,
    spans.map(({ startFrame, crop }) => ({ from: startFrame - first.startFrame, crop })),
  )
  return `${cut}${scaleFilter(composition, width, height)},setsar=1${toneMap(composition)}`
}

/** Whether any of the crops moves; all of them are resampled then. */
export function hasMovingCrop(spans: readonly CropSpan[]): boolean {
  return spans.some(({ crop, cropTo }) => cropTo !== undefined && apart(crop, cropTo))
}

/** Limits the end of a move: a rectangle that would leave the picture stops at its edge. */
export function insidePicture(rect: Rect, source: Pick<Composition['source'], 'width' | 'height'>): Rect {
  return {
    ...rect,
    x: Math.min(Math.max(rect.x, 0), source.width - axisSize(rect.width, source.width)),
    y: Math.min(Math.max(rect.y, 0), source.height - axisSize(rect.height, source.height)),
  }
}

function axisSize(length: number, all: number): number {
  return Math.min(even(length), Math.floor(all / 2) * 2)
}

function apart(a: Rect, b: Rect): boolean {
  return a.x !== b.x || a.y !== b.y
}

/** Crops by shares of the decoded picture, so that pixels that are not square need no special case. */
export function stillCrop(
  composition: Composition,
  crops: readonly { readonly from: number; readonly crop: Rect }[],
): string {
  const { source } = composition
  const [first] = crops
  if (first === undefined) return ''
  const whole = first.crop.width >= source.width && first.crop.height >= source.height
  if (whole) return ''
  const share = (part: number, all: number): string => decimal(Math.min(1, even(part) / all) + 1e-7, 8)
  const at = (pick: (crop: Rect) => number, all: number): string =>
    piecewise(
      'n',
      dropRepeats(crops.map(({ from, crop }) => ({ from, value: decimal(pick(crop) / all + 1e-7, 8) }))),
    )
  const w = share(first.crop.width, source.width)
  const h = share(first.crop.height, source.height)
  const x = at((crop) => crop.x, source.width)
  const y = at((crop) => crop.y, source.height)
  return `crop=w=iw*${w}:h=ih*${h}:x=iw*(${x}):y=ih*(${y}),`
}

function dropRepeats(pieces: readonly Piece[]): Piece[] {
  return pieces.filter((piece, index) => index === 0 || pieces[index - 1]?.value !== piece.value)
}

interface Stretch {
  readonly from: number
  readonly end: number
  /** On even pixels all the time, so that nothing has to be resampled. */
  readonly still: boolean
  readonly span: CropSpan
}

function movingFilters(composition: Composition, spans: readonly CropSpan[], first: CropSpan): string {
  const { source, output } = composition
  const stretches = spans.map((span): Stretch => {
    const from = span.startFrame - first.startFrame
    const moving = span.cropTo !== undefined && apart(span.crop, span.cropTo)
    const still = !moving && span.crop.x % 2 === 0 && span.crop.y % 2 === 0
    return { from, end: span.endFrame - first.startFrame, still: still && !source.hdr, span }
  })
  const x = axis(stretches, source.width, first.crop.width, (rect) => rect.x)
  const y = axis(stretches, source.height, first.crop.height, (rect) => rect.y)
  const coarse = `${displayPixels(composition)},crop=${x.coarse}:${y.coarse}:x=${x.place}:y=${y.place}`
  if (source.hdr) {
    // `perspective` supports eight bits only, so HDR is shifted after the tone mapping, at the output's size.
    const fx = output.width / x.size
    const fy = output.height / y.size
    const w = even(x.coarse * fx)
    const h = even(y.coarse * fy)
    const grown = `${scaleFilter(composition, w, h)},setsar=1${toneMap(composition)}`
    const shifted = shiftFilter(`(${x.shift})*${decimal(fx)}`, `(${y.shift})*${decimal(fy)}`, stretches)
    return `${coarse},${grown},${shifted},crop=${output.width}:${output.height}:0:0`
  }
  const shifted = shiftFilter(x.shift, y.shift, stretches)
  const scaled = `${scaleFilter(composition, output.width, output.height)},setsar=1${toneMap(composition)}`
  return `${coarse},${shifted},crop=${x.size}:${y.size}:x=${x.rest}:y=${y.rest},${scaled}`
}

function axis(stretches: readonly Stretch[], all: number, length: number, pick: (rect: Rect) => number) {
  const most = Math.floor(all / 2) * 2
  const size = axisSize(length, all)
  const coarse = Math.min(size + MARGIN, most)
  const limit = most - coarse
  const path = (variable: string): string => pathOf(stretches, all - size, pick, variable)
  const paired = (value: string, again: string): string =>
    `min(max(2*floor((${value})/2)-${BEFORE}\\,0)\\,${limit})${again}`
  const rest = stretches.map(({ from, still, span }): Piece => {
    const at = pick(span.crop)
    const cut = Math.min(Math.max(2 * Math.floor(at / 2) - BEFORE, 0), limit)
    return { from, value: still ? decimal(Math.min(at - cut, coarse - size)) : '0' }
  })
  // Stored in a register, so that the expression of the path is evaluated once.
  const shift = `st(0\\,${path('(in-1)')})-${paired('ld(0)', '')}`
  return { size, coarse, place: paired(path('n'), ''), shift, rest: piecewise('n', dropRepeats(rest)) }
}

/** Parts of a pixel by which a deep picture moves. */
const STEPS = 4

/**
 * The same for pictures with ten bits, which `perspective` does not take: enlarged along one axis, cut out there to the nearest of
 * its pixels, and scaled to the output's size; then along the other.
 */
function deepMovingFilters(composition: Composition, spans: readonly CropSpan[], first: CropSpan): string {
  const { source, output } = composition
  const stretches = spans.map((span) => ({
    from: span.startFrame - first.startFrame,
    end: span.endFrame - first.startFrame,
    span,
  }))
  const width = axisSize(first.crop.width, source.width)
  const height = axisSize(first.crop.height, source.height)
  const x = `round(${STEPS}*(${pathOf(stretches, source.width - width, (rect) => rect.x, 'n')}))`
  const y = `round(${STEPS}*(${pathOf(stretches, source.height - height, (rect) => rect.y, 'n')}))`
  const scale = (w: number, h: number): string => `scale=${w}:${h}:flags=bicubic:out_range=tv`
  return [
    `${displayPixels(composition)},format=yuv444p10le`,
    ...(width === source.width
      ? []
      : [scale(source.width * STEPS, source.height), `crop=${width * STEPS}:${source.height}:${x}:0`]),
    scale(output.width, source.height),
    ...(height === source.height
      ? []
      : [scale(output.width, source.height * STEPS), `crop=${output.width}:${height * STEPS}:0:${y}`]),
    `${scale(output.width, output.height)},setsar=1${toneMap(composition)}`,
  ].join(',')
}

/** Position on one axis, at most `last`, over all stretches as an expression of the frame number. */
function pathOf(
  stretches: readonly Pick<Stretch, 'from' | 'end' | 'span'>[],
  last: number,
  pick: (rect: Rect) => number,
  variable: string,
): string {
  const lines = stretches.map(({ from, end, span }) => line(from, end, span, pick, variable, last))
  return piecewise(variable, dropRepeats(lines))
}

/** Position on one axis from `from` to `end`, as an expression of the frame number. */
function line(
  from: number,
  end: number,
  { crop, cropTo, eased }: CropSpan,
  pick: (rect: Rect) => number,
  variable: string,
  last: number,
): Piece {
  const inside = (value: number): number => Math.min(Math.max(value, 0), last)
  const start = inside(pick(crop))
  const way = cropTo === undefined ? 0 : inside(pick(cropTo)) - start
  if (way === 0) return { from, value: decimal(start, 3) }
  if (eased === true) {
    const time = `st(1\\,(${variable}-${from})/${end - from})`
    return { from, value: `${decimal(start, 3)}+${decimal(way, 3)}*${time}*ld(1)*(3-2*ld(1))` }
  }
  const slope = way / (end - from)
  return { from, value: `${decimal(start - slope * from, 3)}+${decimal(slope)}*${variable}` }
}

/** Shifts the picture by less than two pixels, with fractions. `in` counts from 1. */
function shiftFilter(x: string, y: string, stretches: readonly Stretch[]): string {
  const ranges: { from: number; end: number }[] = []
  for (const { from, end } of stretches.filter(({ still }) => !still)) {
    const last = ranges.at(-1)
    if (last?.end === from) last.end = end
    else ranges.push({ from, end })
  }
  const when = ranges.map(({ from, end }) => `between(n\\,${from}\\,${end - 1})`).join('+')
  const corners = [
    ['0', '0'],
    ['W', '0'],
    ['0', 'H'],
    ['W', 'H'],
  ].map(([left, top], corner) => `x${corner}=${left}+${x}:y${corner}=${top}+${y}`)
  return `perspective=${corners.join(':')}:interpolation=cubic:sense=source:eval=frame:enable=${when}`
}
