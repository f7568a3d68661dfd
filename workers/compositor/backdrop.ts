/** Boxes behind text: one per line, one for the block, or line boxes joined into one outline. Shared by all text layers. */
import type { Backdrop, Shadow } from '../../server/contract/composition.ts'
import { type Box, growBox, unionBox } from './box.ts'
import type { DrawingContext } from './canvas.ts'
import { cssColour, parseColour, WHITE } from './colour.ts'

/** A line's extent: from cap height to baseline, text width. */
export interface LineBox {
  readonly left: number
  readonly width: number
  /** Middle of the capitals. */
  readonly middle: number
}

export interface BackdropMetrics {
  readonly lineHeight: number
  readonly unit: number
}

/** The boxes that will be filled, in output pixels; [] for `none`. */
export function backdropBoxes(
  backdrop: Backdrop,
  lines: readonly LineBox[],
  metrics: BackdropMetrics,
): readonly Box[] {
  if (backdrop.fill === 'none' || backdrop.opacity === 0 || lines.length === 0) return []
  const padX = backdrop.paddingX * metrics.unit
  const padY = backdrop.paddingY * metrics.unit
  const boxes = lines.map((line) => ({
    x: line.left - padX,
    y: line.middle - metrics.lineHeight / 2 - padY,
    width: line.width + 2 * padX,
    height: metrics.lineHeight + 2 * padY,
  }))
  if (backdrop.fill === 'line') return separate(boxes)
  if (backdrop.fill === 'wrap') return touching(boxes)
  const block = boxes.reduce<Box | null>(unionBox, null)
  return block === null ? [] : [block]
}

/** Line boxes must not overlap, or a half-transparent colour would show twice there. */
function separate(boxes: readonly Box[]): Box[] {
  return boxes.map((box, index) => {
    const above = boxes[index - 1]
    const below = boxes[index + 1]
    const top = above === undefined ? box.y : Math.max(box.y, middleOf(above, box) + 1)
    const end = box.y + box.height
    const bottom = below === undefined ? end : Math.min(end, middleOf(box, below) - 1)
    return { ...box, y: top, height: bottom - top }
  })
}

function touching(boxes: readonly Box[]): Box[] {
  return boxes.map((box, index) => {
    const above = boxes[index - 1]
    const below = boxes[index + 1]
    const top = above === undefined ? box.y : middleOf(above, box)
    const bottom = below === undefined ? box.y + box.height : middleOf(box, below)
    return { ...box, y: top, height: bottom - top }
  })
}

function middleOf(upper: Box, lower: Box): number {
  return (upper.y + upper.height + lower.y) / 2
}

export function drawBackdrop(
  canvas: DrawingContext,
  backdrop: Backdrop,
  boxes: readonly Box[],
  unit: number,
  opacity: number,
): void {
  if (boxes.length === 0) return
  const radius = backdrop.radius * unit
  canvas.save()
  canvas.fillStyle = cssColour(parseColour(backdrop.colour) ?? WHITE, backdrop.opacity * opacity)
  if (backdrop.shadow !== undefined) castShadow(canvas, backdrop.shadow, unit)
  // One path and one fill: the shadow of one box must not lie on another box.
  canvas.beginPath()
  const outlines = backdrop.fill === 'wrap' ? [boxes] : boxes.map((box) => [box])
  for (const outline of outlines) tracePolygon(canvas, outlineOf(outline, radius), radius)
  canvas.fill()
  canvas.restore()
}

/** Canvas multiplies a shadow by the opacity of what casts it, so a box that fades takes its shadow along. */
function castShadow(canvas: DrawingContext, shadow: Shadow, unit: number): void {
  canvas.shadowColor = cssColour(parseColour(shadow.colour) ?? WHITE)
  canvas.shadowBlur = shadow.blur * unit
  canvas.shadowOffsetX = shadow.offsetX * unit
  canvas.shadowOffsetY = shadow.offsetY * unit
}

/** Everything that a backdrop paints, its shadow included; null for no boxes. */
export function backdropReach(backdrop: Backdrop, boxes: readonly Box[], unit: number): Box | null {
  const whole = boxes.reduce<Box | null>(unionBox, null)
  const { shadow } = backdrop
  if (whole === null || shadow === undefined) return whole
  const blur = shadow.blur * unit * 1.4
  const dx = shadow.offsetX * unit
  const dy = shadow.offsetY * unit
  const sides = [blur - dx, blur - dy, blur + dx, blur + dy].map((side) => Math.max(0, side) + 1)
  return growBox(whole, sides[0] ?? 0, sides[1] ?? 0, sides[2] ?? 0, sides[3] ?? 0)
}

export function fillRounded(canvas: DrawingContext, box: Box, radius: number): void {
  canvas.beginPath()
  tracePolygon(canvas, outlineOf([box], radius), radius)
  canvas.fill()
}

interface Point {
  readonly x: number
  readonly y: number
}

/** The outline around stacked boxes, clockwise. Steps too small for two rounded corners are levelled first. */
function outlineOf(boxes: readonly Box[], radius: number): Point[] {
  const edges = boxes.map((box) => ({ ...box, right: box.x + box.width }))
  for (let pass = 0; pass < edges.length; pass++) {
    for (let index = 1; index < edges.length; index++) {
      const a = edges[index - 1]
      const b = edges[index]
      if (a === undefined || b === undefined) continue
      if (Math.abs(a.x - b.x) < radius * 2) a.x = b.x = Math.min(a.x, b.x)
      if (Math.abs(a.right - b.right) < radius * 2) a.right = b.right = Math.max(a.right, b.right)
    }
  }
  const right = edges.flatMap((edge) => [
    { x: edge.right, y: edge.y },
    { x: edge.right, y: edge.y + edge.height },
  ])
  const left = edges.toReversed().flatMap((edge) => [
    { x: edge.x, y: edge.y + edge.height },
    { x: edge.x, y: edge.y },
  ])
  const points = [...right, ...left]
  const same = (a: Point | undefined, b: Point): boolean => a !== undefined && a.x === b.x && a.y === b.y
  const apart = points.filter((point, index) => !same(points.at(index - 1), point))
  // A point between two others on one line is no corner.
  return apart.filter((point, index) => {
    const before = apart.at(index - 1) ?? point
    const after = apart[(index + 1) % apart.length] ?? point
    return !((before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y))
  })
}

function tracePolygon(canvas: DrawingContext, points: readonly Point[], radius: number): void {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return
  canvas.moveTo((first.x + last.x) / 2, (first.y + last.y) / 2)
  points.forEach((point, index) => {
    const before = points.at(index - 1) ?? point
    const after = points[(index + 1) % points.length] ?? point
    const shorter = Math.min(distance(before, point), distance(point, after))
    canvas.arcTo(point.x, point.y, after.x, after.y, Math.min(radius, shorter / 2))
  })
  canvas.closePath()
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

/** Lines of text and the boxes behind them, as one; null for no lines. */
export function textArea(
  boxes: readonly Box[],
  lines: readonly LineBox[],
  { lineHeight }: Pick<BackdropMetrics, 'lineHeight'>,
): Box | null {
  const texts = lines.map(({ left, width, middle }) => ({
    x: left,
    y: middle - lineHeight / 2,
    width,
    height: lineHeight,
  }))
  return [...boxes, ...texts].reduce<Box | null>(unionBox, null)
}
