/** Where several views of the source lie in one output picture. Places are in reference units. */
import type { Pane, Rect } from '../../contract/composition.ts'
import { referenceSize } from '../compose/read-config.ts'
import { usualFace, type Person, type Size, type Point } from './seen.ts'
import { largest, middleOf, placeAround, sizeAround, whole } from '../compose/layout.ts'

/** A face takes about this much of its pane's height. */
const FACE_SHARE = 0.28
const CLOSEST = 2.6
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

/** A pane for each person, from left to right as they sit. */
export function peoplePanes(people: readonly Person[], source: Size, output: Size): Pane[] {
  const faces = people.map(({ faces }) => usualFace(faces)).toSorted((a, b) => a.x - b.x)
  const rects = paneRects(faces.length, output)
  return faces.flatMap((face, at) => {
    const rect = rects[at]
    if (rect === undefined) return []
    const shape = rect.width / rect.height
    const near = sizeAround(face, source, shape, FACE_SHARE, CLOSEST)
    // The neighbours have panes of their own: a view does not reach their faces where it need not.
    const apart = Math.min(...faces.filter((other) => other !== face).map(({ x }) => Math.abs(x - face.x)))
    const width = Math.max(
      largest(source, shape).width / CLOSEST,
      Math.min(near.width, 2 * apart - face.width),
    )
    const size = { width, height: width / shape }
    return [{ crop: { ...placeAround(face, size, whole(source)), ...size }, rect }]
  })
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
  const size = sizeAround(face, source, upper.width / upper.height, FACE_SHARE, CLOSEST)
  const rest: Rect = {
    x: face.x < source.width / 2 ? source.width / 2 : 0,
    y: 0,
    width: source.width / 2,
    height: source.height,
  }
  return [
    { crop: { ...placeAround(face, size, whole(source)), ...size }, rect: upper },
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
