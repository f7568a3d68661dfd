/** Where several views of the source lie in one output picture. Places are in reference units. */
import type { Pane, Rect } from '../../contract/composition.ts'
import { referenceSize } from '../compose/read-config.ts'
import {
  headOf,
  includeBox,
  usualFace,
  type Box,
  type Face,
  type Person,
  type Size,
  type Point,
} from './seen.ts'
import { inside, largest, middleOf, placeAround, sizeAround, whole } from '../compose/layout.ts'

/** A face takes about this much of its pane's height. */
const FACE_SHARE = 0.28
const CLOSEST = 2.6
/** A view is at least this much larger than what must be whole in it. */
const AIR = 1.1
/** Outputs wider than this have their bands side by side. */
const WIDE = 1.2

/** Two or three bands, four quarters: one above the other, in a wide output side by side. */
export function paneRects(count: number, output: Size): Rect[] {
  const { width, height } = referenceSize(output)
  if (count === 4) {
    const w = width / 2
    const h = height / 2
    return [0, 1, 2, 3].map((at) => ({ x: (at % 2) * w, y: Math.floor(at / 2) * h, width: w, height: h }))
  }
  const wide = output.width / output.height > WIDE
  return Array.from({ length: count }, (_, at) =>
    wide
      ? { x: (at * width) / count, y: 0, width: width / count, height }
      : { x: 0, y: (at * height) / count, width, height: height / count },
  )
}

/** The width of a view of one of several people: it does not reach the neighbours, who have panes of their own. */
export function usualWidth(face: Face, others: readonly Face[], shape: number, source: Size): number {
  const near = sizeAround(face, source, shape, FACE_SHARE, CLOSEST)
  const apart = Math.min(...others.map(({ x }) => Math.abs(x - face.x)))
  return Math.max(largest(source, shape).width / CLOSEST, Math.min(near.width, 2 * apart - face.width))
}

interface Holding {
  /** Of the view without need for more. */
  readonly usual: number
  /** What must be whole in it. */
  readonly box: Box
  readonly shape: number
  readonly source: Size
  /** What is in the upper third, as far as that goes; absent: the middle of the box. */
  readonly face?: Face
}

/** The closest view at rest that has all of this in it; `holds`: whether there is one. */
export function holdingView({ usual, box, shape, source, face }: Holding) {
  const most = largest(source, shape)
  const wide = box.right - box.left
  const high = box.bottom - box.top
  const width = Math.min(most.width, Math.max(usual, wide * AIR, high * AIR * shape))
  const size = { width, height: width / shape }
  const middle = face ?? { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }
  const best = placeAround(middle, size, whole(source))
  const crop = {
    x: shifted(best.x, size.width, box.left, box.right, source.width),
    y: shifted(best.y, size.height, box.top, box.bottom, source.height),
    width: size.width,
    height: size.height,
  }
  return { width, crop, holds: wide <= size.width && high <= size.height }
}

/** Moved as little as has `from` to `to` in it, with equal air on both sides where it is scarce. */
function shifted(at: number, length: number, from: number, to: number, all: number): number {
  const air = Math.max(0, Math.min(length * 0.05, (length - (to - from)) / 2))
  const place = Math.min(Math.max(at, to + air - length), from - air)
  return inside(place, length, 0, all)
}

/** Two views of a source without known people: its left and right half, or upper and lower half of a tall one. */
export function halves(source: Size, output: Size): Pane[] {
  const beside = source.width >= source.height
  return paneRects(2, output).map((rect, at) => {
    const half: Rect = beside
      ? { x: (at * source.width) / 2, y: 0, width: source.width / 2, height: source.height }
      : { x: 0, y: (at * source.height) / 2, width: source.width, height: source.height / 2 }
    return { crop: middleOf(half, rect.width / rect.height), rect }
  })
}

/** The person, and the half of the picture in which that person is not. */
export function personAndRest(person: Person, source: Size, output: Size): Pane[] {
  const [upper, lower] = paneRects(2, output)
  if (upper === undefined || lower === undefined) return []
  const face = usualFace(person.faces)
  const shape = upper.width / upper.height
  const box = person.faces.reduce<Box | null>(
    (all, one) => includeBox(all, one === null ? null : headOf(one, source)),
    null,
  )
  const usual = sizeAround(face, source, shape, FACE_SHARE, CLOSEST).width
  const view = holdingView({ usual, box: box ?? headOf(face, source), shape, source, face })
  const rest: Rect = {
    x: face.x < source.width / 2 ? source.width / 2 : 0,
    y: 0,
    width: source.width / 2,
    height: source.height,
  }
  return [
    { crop: view.crop, rect: upper },
    { crop: middleOf(rest, lower.width / lower.height), rect: lower },
  ]
}

/** The whole screen, and its presenter (at `inset`) in the rest of the output; `face`: the middle of the face. */
export function screenAndPerson(inset: Rect, face: Point | null, source: Size, output: Size): Pane[] {
  const { width, height } = referenceSize(output)
  const wide = output.width / output.height > WIDE
  const screen: Rect = wide
    ? { x: 0, y: 0, width: width * 0.72, height: (width * 0.72 * source.height) / source.width }
    : { x: 0, y: 0, width, height: (width * source.height) / source.width }
  const beside = wide
    ? { x: screen.width, y: 0, width: width - screen.width, height }
    : { x: 0, y: screen.height, width, height: height - screen.height }
  const upright = { ...screen, y: wide ? (height - screen.height) / 2 : 0 }
  const size = largest(inset, beside.width / beside.height)
  const looksAt = face ?? { x: inset.x + inset.width / 2, y: inset.y + inset.height / 2 }
  return [
    { crop: whole(source), rect: upright },
    { crop: { ...placeAround(looksAt, size, inset), ...size }, rect: beside },
  ]
}

/** Whether the screen leaves space for a person. */
export function canFitPerson(source: Size, output: Size): boolean {
  const { width, height } = referenceSize(output)
  if (output.width / output.height > WIDE) return true
  return height - (width * source.height) / source.width > height / 4
}
