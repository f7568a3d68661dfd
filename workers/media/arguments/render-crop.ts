/**
 * A rectangle of the source that fills the output, still or moving. `crop` alone places a rectangle on even pixels only, so
 * that a slow move visibly jerks; `crop-steps.ts` says how a moving one comes to places between. PURE.
 */
import type { Composition, CropSpan, Rect } from '../../../server/contract/composition.ts'
import { decimal, piecewise, type Piece, displayPixels, even, scaleFilter, toneMap } from './colour.ts'
import { planAxis, wholePairs, type AxisSteps, type MovingAxis } from './crop-steps.ts'
import { growFilters, grows } from './render-grow.ts'

/** The filters for consecutive crops; frames count from the first one's start. */
export function cropFilters(composition: Composition, spans: readonly CropSpan[]): string {
  const { width, height } = composition.output
  const first = spans[0]
  if (first === undefined) return 'null'
  if (grows(spans)) return growFilters(composition, spans)
  if (hasMovingCrop(spans)) return movingFilters(composition, spans, first)
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
  return Math.min(even(length), wholePairs(all))
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
  readonly span: CropSpan
}

function movingFilters(composition: Composition, spans: readonly CropSpan[], first: CropSpan): string {
  const { source, output } = composition
  const stretches = spans.map((span): Stretch => ({
    from: span.startFrame - first.startFrame,
    end: span.endFrame - first.startFrame,
    span,
  }))
  const across = { size: axisSize(first.crop.width, source.width), all: source.width, output: output.width }
  const down = { size: axisSize(first.crop.height, source.height), all: source.height, output: output.height }
  const x = axis(stretches, across, (rect) => rect.x)
  const y = axis(stretches, down, (rect) => rect.y)
  const isSized = x.length === output.width && y.length === output.height
  const scale = (width: number, height: number): string => scaleFilter(composition, width, height)
  return [
    displayPixels(composition),
    ...continueFilters(source, x, y),
    `crop=${x.coarse}:${y.coarse}:x=${x.place}:y=${y.place}`,
    // Colours are converted once only.
    isSized ? scale(x.scaled, y.scaled) : `scale=${x.scaled}:${y.scaled}:flags=bicubic`,
    `crop=${x.length}:${y.length}:x=${x.rest}:y=${y.rest}`,
    ...(isSized ? [] : [scale(output.width, output.height)]),
    `setsar=1${toneMap(composition)}`,
  ].join(',')
}

/** Continues the source by its outermost pixels, which is what scaling takes for what lies beyond. */
function continueFilters(source: Composition['source'], x: AxisSteps, y: AxisSteps): string[] {
  if (x.before + x.after + y.before + y.after === 0) return []
  const width = x.before + wholePairs(source.width) + x.after
  const height = y.before + wholePairs(source.height) + y.after
  return [
    `pad=${width}:${height}:${x.before}:${y.before}`,
    `fillborders=left=${x.before}:right=${x.after}:top=${y.before}:bottom=${y.after}:mode=smear`,
  ]
}

type Axis = Pick<MovingAxis, 'size' | 'all' | 'output'>

/** One axis, along which the rectangle may also rest at a pair of pixels all the time. */
function axis(stretches: readonly Stretch[], along: Axis, pick: (rect: Rect) => number): AxisSteps {
  const { size, all, output } = along
  const last = all - size
  const ends = stretches.flatMap(({ span: { crop, cropTo = crop } }) => [crop, cropTo])
  const places = ends.map((rect) => Math.min(Math.max(pick(rect), 0), last))
  const least = Math.min(...places)
  const most = Math.max(...places)
  if (least === most && least % 2 === 0)
    return {
      coarse: size,
      scaled: output,
      length: output,
      before: 0,
      after: 0,
      place: String(least),
      rest: '0',
    }
  return planAxis({ ...along, path: pathOf(stretches, last, pick), least, most })
}

/** Position on one axis, at most `last`, over all stretches as an expression of the frame number. */
function pathOf(stretches: readonly Stretch[], last: number, pick: (rect: Rect) => number): string {
  return piecewise('n', dropRepeats(stretches.map((stretch) => line(stretch, last, pick))))
}

/** Position on one axis from `from` to `end`, as an expression of the frame number. */
function line(
  { from, end, span: { crop, cropTo, eased } }: Stretch,
  last: number,
  pick: (rect: Rect) => number,
): Piece {
  const inside = (value: number): number => Math.min(Math.max(value, 0), last)
  const start = inside(pick(crop))
  const way = cropTo === undefined ? 0 : inside(pick(cropTo)) - start
  if (way === 0) return { from, value: decimal(start, 3) }
  if (eased === true) {
    const time = `st(1\\,(n-${from})/${end - from})`
    return { from, value: `${decimal(start, 3)}+${decimal(way, 3)}*${time}*ld(1)*(3-2*ld(1))` }
  }
  const slope = way / (end - from)
  return { from, value: `${decimal(start - slope * from, 3)}+${decimal(slope)}*n` }
}
