/**
 * Finds split screens: guests side by side or in quarters, each in a picture of their own, as broadcasts and recorded calls show
 * them. The sides of such a picture are straight edges that stand still, all along it, and nobody comes over them. PURE.
 */
import type { ClipFaces } from '../../../../server/contract/clip-measurements.ts'
import { findSteadyEdges, type EdgePicture } from './edges.ts'
import type { Track } from './face.ts'

type Split = NonNullable<ClipFaces['splits']>[number]

/** Share of the time in which a pixel of a side is an edge, and share of a side in which it must be so. */
const STEADY = 0.65
const COVERED = 0.85
/** What is beside a side must be an edge so much less often: a tiled wall is none. Pixels from the side. */
const CLEARER = 0.25
const BESIDE_AT = [5, 6, 7, 8, 9, 10, 11, 12] as const
/** Candidates for sides in each direction, the longest first, and the least length, as a share of the picture's. */
const MAX_LINES = 14
const MIN_LENGTH = 0.25
/** A side may be hidden for so much of the picture's length. */
const MAX_GAP = 0.03
/** Of a guest's own picture: the area as shares of the picture, and the least size in faces. */
const AREA = { from: 0.1, to: 0.7 } as const
const FACES = { wide: 1.3, high: 1.3 } as const
/** All of them together, and the largest in smallest ones. */
const MIN_TOGETHER = 0.4
const MAX_RATIO = 4
/** Somebody is in a picture in this share of the time that they are seen, and is seen for so much of the shot. */
const INSIDE = 0.95
const MIN_SEEN = 0.35
const MIN_SECONDS = 2
const MIN_PICTURES = 3

/** Columns and rows, pixels. */
interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A straight edge: where it is, and from where to where it goes. */
interface Line {
  readonly at: number
  readonly from: number
  readonly to: number
}

/** `pictures` and `tracks` are of one range of the source, which begins a new shot at each of `shotStarts` (seconds). */
export function findSplits(
  pictures: readonly EdgePicture[],
  tracks: readonly Track[],
  shotStarts: readonly number[],
): Split[] {
  const [first] = pictures
  const last = pictures.at(-1)
  if (first === undefined || last === undefined) return []
  const edges = [first.time, ...shotStarts.filter((at) => at > first.time && at < last.time), last.time]
  const splits: Split[] = []
  edges.slice(0, -1).forEach((start, at) => {
    const end = edges[at + 1] ?? last.time
    const during = pictures.filter(({ time }) => time >= start && time <= end)
    const found = end - start < MIN_SECONDS ? null : splitIn(during, tracks, { start, end })
    if (found === null) return
    const before = splits.at(-1)
    const same = before !== undefined && before.end === start && areSame(before.boxes, found)
    if (same) splits[splits.length - 1] = { ...before, end }
    else splits.push({ start, end, boxes: found })
  })
  return splits
}

function areSame(a: Split['boxes'], b: Split['boxes']): boolean {
  return (
    a.length === b.length &&
    a.every((box, at) => box.every((side, n) => Math.abs(side - (b[at]?.[n] ?? 1)) < 0.02))
  )
}

function splitIn(
  pictures: readonly EdgePicture[],
  tracks: readonly Track[],
  { start, end }: { start: number; end: number },
): Split['boxes'] | null {
  const people = tracks.flatMap((track) => {
    const faces = track.points.filter(({ time }) => time >= start && time <= end)
    const seconds = (faces.at(-1)?.time ?? 0) - (faces[0]?.time ?? 0)
    return seconds >= MIN_SEEN * (end - start) ? [faces.map(({ face }) => face)] : []
  })
  if (people.length < 2 || pictures.length < MIN_PICTURES) return null
  const steady = findSteadyEdges(pictures)
  const { width, height } = steady
  const upright = linesOf(steady.across, height, width, (at, along) => along * width + at)
  const level = linesOf(steady.down, width, height, (at, along) => at * width + along)
  const boxes: Box[] = []
  for (const faces of people) {
    const own = faces.map((face) => ({
      left: face.x * width,
      top: face.y * height,
      right: (face.x + face.width) * width,
      bottom: (face.y + face.height) * height,
    }))
    const box = boxAround(own, upright, level, width, height)
    if (box === null) return null
    if (!boxes.some((other) => commonArea(box, other) > 0.9 * Math.min(areaOf(box), areaOf(other))))
      boxes.push(box)
  }
  return isSplit(boxes, width * height)
    ? boxes.toSorted(inReadingOrder).map((box) => present(box, width, height))
    : null
}

const areaOf = ({ left, top, right, bottom }: Box): number =>
  Math.max(0, right - left) * Math.max(0, bottom - top)

function commonArea(a: Box, b: Box): number {
  return areaOf({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  })
}

function isSplit(boxes: readonly Box[], all: number): boolean {
  const areas = boxes.map(areaOf)
  const together = areas.reduce((sum, area) => sum + area, 0)
  const apart = boxes.every((box, at) =>
    boxes
      .slice(at + 1)
      .every((other) => commonArea(box, other) < 0.03 * Math.min(areaOf(box), areaOf(other))),
  )
  return (
    boxes.length > 1 &&
    apart &&
    together >= MIN_TOGETHER * all &&
    Math.max(...areas) <= MAX_RATIO * Math.min(...areas)
  )
}

const inReadingOrder = (a: Box, b: Box): number =>
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0 ? a.left - b.left : a.top - b.top

/** The smallest picture of their own that somebody is in; null: there is none. */
function boxAround(
  faces: readonly Box[],
  upright: readonly Line[],
  level: readonly Line[],
  width: number,
  height: number,
): Box | null {
  const median = (side: keyof Box): number =>
    faces.map((face) => face[side]).toSorted((a, b) => a - b)[faces.length >> 1] ?? 0
  const usual = { left: median('left'), top: median('top'), right: median('right'), bottom: median('bottom') }
  const edgeOf = (at: number, to: number): Line => ({ at, from: 0, to })
  const lefts = [edgeOf(0, height), ...upright.filter(({ at }) => at < usual.left)]
  const rights = [edgeOf(width - 1, height), ...upright.filter(({ at }) => at > usual.right)]
  const tops = [edgeOf(0, width), ...level.filter(({ at }) => at < usual.top)]
  const bottoms = [edgeOf(height - 1, width), ...level.filter(({ at }) => at > usual.bottom)]
  const covers = ({ from, to }: Line, start: number, end: number): boolean =>
    Math.min(to, end) - Math.max(from, start) >= COVERED * (end - start)
  let best: Box | null = null
  for (const left of lefts)
    for (const right of rights)
      for (const top of tops)
        for (const bottom of bottoms) {
          const box = { left: left.at, top: top.at, right: right.at, bottom: bottom.at }
          const area = areaOf(box)
          if (area < AREA.from * width * height || area > AREA.to * width * height) continue
          if (best !== null && area >= areaOf(best)) continue
          const sides = [left, right].every((line) => covers(line, box.top, box.bottom))
          const ends = [top, bottom].every((line) => covers(line, box.left, box.right))
          const wide = box.right - box.left >= FACES.wide * (usual.right - usual.left)
          const high = box.bottom - box.top >= FACES.high * (usual.bottom - usual.top)
          if (sides && ends && wide && high && staysIn(faces, box)) best = box
        }
  return best
}

function staysIn(faces: readonly Box[], box: Box): boolean {
  return faces.filter((face) => commonArea(face, box) >= 0.9 * areaOf(face)).length >= INSIDE * faces.length
}

/** The straight edges of one direction: `placeOf` is the pixel of a line `at`, so far `along` it. */
function linesOf(
  share: Float32Array,
  length: number,
  count: number,
  placeOf: (at: number, along: number) => number,
): Line[] {
  const lines: Line[] = []
  for (let at = 2; at < count - 2; at += 1) {
    // An edge is two pixels wide, and may lie between two.
    const stretches = stretchesOf(
      length,
      (along) => Math.max(share[placeOf(at, along)] ?? 0, share[placeOf(at + 1, along)] ?? 0) >= STEADY,
    )
    for (const { from, to } of stretches) {
      const meanAt = (place: number): number => {
        let sum = 0
        for (let along = from; along < to; along += 1) sum += share[placeOf(place, along)] ?? 0
        return place < 0 || place >= count ? 0 : sum / (to - from)
      }
      const beside = (sign: number): number => Math.max(...BESIDE_AT.map((away) => meanAt(at + sign * away)))
      const own = Math.max(meanAt(at), meanAt(at + 1))
      if (own - Math.min(beside(-1), beside(1)) >= CLEARER) lines.push({ at, from, to })
    }
  }
  const longest: Line[] = []
  for (const line of lines.toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.at - b.at)) {
    const isOther = longest.every(
      ({ at, from, to }) => Math.abs(at - line.at) > 2 || to <= line.from || from >= line.to,
    )
    if (isOther) longest.push(line)
    if (longest.length === MAX_LINES) break
  }
  return longest
}

/** The long stretches that are an edge but for short gaps. */
function stretchesOf(length: number, isEdge: (along: number) => boolean): { from: number; to: number }[] {
  const gap = MAX_GAP * length
  const stretches: { from: number; to: number; count: number }[] = []
  for (let along = 1; along < length - 1; along += 1) {
    if (!isEdge(along)) continue
    const last = stretches.at(-1)
    if (last === undefined || along - last.to > gap) stretches.push({ from: along, to: along + 1, count: 1 })
    else {
      last.to = along + 1
      last.count += 1
    }
  }
  return stretches.filter(
    ({ from, to, count }) => to - from >= MIN_LENGTH * length && count >= COVERED * (to - from),
  )
}

/** Pixels that a side found may be off, so that no other picture shows. */
const OFF = 2

function present({ left, top, right, bottom }: Box, width: number, height: number): Split['boxes'][number] {
  const x = left === 0 ? 0 : left + OFF
  const y = top === 0 ? 0 : top + OFF
  const endX = right >= width - 1 ? width : right - OFF + 1
  const endY = bottom >= height - 1 ? height : bottom - OFF + 1
  return [x / width, y / height, (endX - x) / width, (endY - y) / height]
}
