/** Measured faces brought to output frames and to display pixels of the source. */
import { middleSecond } from '../../contract/time-map/frames.ts'
import type { ClipFaces, FaceTrack } from '../../contract/clip-measurements.ts'
import type { TimeSpan, Rect } from '../../contract/composition.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** A face in one frame: its middle and size, display pixels of the source. */
export interface Face {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Edges of what must be whole, display pixels of the source. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A detector's box ends at the brow and the chin; a head is so much larger, to each side and upwards, in faces. */
const HEAD = { side: 0.18, top: 0.45, bottom: 0.1 } as const

/** The head of a face, as far as it is in the picture: hair above, cheeks and the back of the head beside. */
export function headOf(face: Face, source: Size): Box {
  const wide = face.width * (0.5 + HEAD.side)
  const box = {
    left: Math.max(0, face.x - wide),
    top: Math.max(0, face.y - face.height * (0.5 + HEAD.top)),
    right: Math.min(source.width, face.x + wide),
    bottom: Math.min(source.height, face.y + face.height * (0.5 + HEAD.bottom)),
  }
  return { ...box, right: Math.max(box.left, box.right), bottom: Math.max(box.top, box.bottom) }
}

/** Around both; null: around nothing. */
export function includeBox(around: Box | null, box: Box | null): Box | null {
  if (around === null || box === null) return around ?? box
  return {
    left: Math.min(around.left, box.left),
    top: Math.min(around.top, box.top),
    right: Math.max(around.right, box.right),
    bottom: Math.max(around.bottom, box.bottom),
  }
}

/** One person of one shot, by the frame counted from the shot's first one. */
export interface Person {
  readonly id: number
  readonly faces: readonly (Face | null)[]
  readonly speaks: readonly boolean[]
}

/** What is played of one shot without another in between. */
export interface Shot {
  readonly startFrame: number
  readonly endFrame: number
  /** Source seconds of each frame. */
  readonly seconds: readonly number[]
  /** Source seconds at which the shot begins and ends, whatever of it is played. */
  readonly from: number
  readonly to: number
  /** Whether faces were looked for. */
  readonly measured: boolean
}

/** A face of which less is in the picture is not there: whoever it is comes or goes. */
const VISIBLE = 0.7
/** So near the edge, in faces, a face that is lost has left the picture. */
const EDGE = 0.3
/** Who is found again within this time, this near (in faces) and as large as this, is the same person. */
const LOST_SECONDS = 1.5
const REACH = 2.5
const ALIKE = 1.6
/** A face is taken to be where it was first and last found for this long before and after, seconds. */
const AROUND = 0.3

/** The played shots, in order; a cut that leaves out a part of a shot does not end it. */
export function playedShots(faces: ClipFaces, timeMap: readonly TimeSpan[]): Shot[] {
  const edges = [faces.start, ...faces.shotStarts, faces.end]
  const shots: { index: number; startFrame: number; seconds: number[] }[] = []
  for (const span of timeMap) {
    for (let frame = span.startFrame; frame < span.endFrame; frame++) {
      // The middle of the frame's time: a frame is never split by a shot that starts at its edge.
      const second = middleSecond(span, frame)
      const index = edges.filter((edge) => edge <= second).length
      const last = shots.at(-1)
      if (last?.index === index) last.seconds.push(second)
      else shots.push({ index, startFrame: frame, seconds: [second] })
    }
  }
  return shots.map(({ index, startFrame, seconds }) => ({
    startFrame,
    endFrame: startFrame + seconds.length,
    seconds,
    from: edges[index - 1] ?? -Infinity,
    to: edges[index] ?? Infinity,
    measured: index > 0 && index < edges.length,
  }))
}

export function peopleIn(shot: Shot, faces: ClipFaces, source: Size): Person[] {
  return faces.tracks.flatMap((track) => {
    // A face track belongs to one shot: one that ended before the shot began is not carried over.
    if (!track.points.some(([second]) => second >= shot.from && second < shot.to)) return []
    const seen = shot.seconds.map((second) => placed(track, second, source))
    if (seen.every((face) => face === null)) return []
    const speaks = shot.seconds.map((second) =>
      track.speaking.some(({ start, end }) => start <= second && second < end),
    )
    return [{ id: track.id, faces: seen, speaks }]
  })
}

/** Letters that are laid over the picture in some frames; display pixels of the source. */
export interface BannerSpan {
  readonly startFrame: number
  readonly endFrame: number
  readonly box: Box
}

/** The banners of a shot, frames counted from its first one. */
export function bannersIn({ seconds }: Shot, { banners = [] }: ClipFaces, source: Size): BannerSpan[] {
  return banners.flatMap(({ start, end, box: [x, y, width, height] }) => {
    const startFrame = seconds.findIndex((second) => second >= start && second <= end)
    if (startFrame < 0) return []
    const box = {
      left: x * source.width,
      top: y * source.height,
      right: (x + width) * source.width,
      bottom: (y + height) * source.height,
    }
    return [{ startFrame, endFrame: seconds.findLastIndex((second) => second <= end) + 1, box }]
  })
}

/** The same, frames counted from an earlier (above 0) or later one. */
export const shiftBanners = (banners: readonly BannerSpan[], frames: number): BannerSpan[] =>
  banners.map(({ startFrame, endFrame, box }) => ({
    startFrame: startFrame + frames,
    endFrame: endFrame + frames,
    box,
  }))

/** Tracks of one shot that are the same person, lost for a moment: one goes on where the other ended. */
export function joinPeople(people: readonly Person[], framesPerSecond: number): Person[] {
  const joined: Person[] = []
  const starts = (person: Person): number => person.faces.findIndex((face) => face !== null)
  for (const person of people.toSorted((a, b) => starts(a) - starts(b) || a.id - b.id)) {
    const at = joined.findIndex((before) => goesOn(before, person, framesPerSecond))
    const before = joined[at]
    if (before === undefined) joined.push(person)
    else
      joined[at] = {
        id: before.id,
        faces: before.faces.map((face, frame) => face ?? person.faces[frame] ?? null),
        speaks: before.speaks.map((speaks, frame) => speaks || person.speaks[frame] === true),
      }
  }
  return joined
}

function goesOn(before: Person, after: Person, framesPerSecond: number): boolean {
  const end = before.faces.findLastIndex((face) => face !== null)
  const start = after.faces.findIndex((face) => face !== null)
  const from = before.faces[end]
  const to = after.faces[start]
  if (from == null || to == null || start <= end || start - end > LOST_SECONDS * framesPerSecond) return false
  const larger = Math.max(from.width, to.width)
  const near = Math.hypot(from.x - to.x, from.y - to.y) <= REACH * larger
  return near && larger <= ALIKE * Math.min(from.width, to.width)
}

function placed(track: FaceTrack, second: number, source: Size): Face | null {
  const face = faceAt(track, second, isLeaving(track, second) ? 0 : AROUND)
  if (face === null || visibleShare(face) < VISIBLE) return null
  const width = face.width * source.width
  const height = face.height * source.height
  return { x: face.x * source.width + width / 2, y: face.y * source.height + height / 2, width, height }
}

/** Whether a track has ended, or not begun, at the picture's edge: whoever it is is outside. */
function isLeaving({ points }: FaceTrack, second: number): boolean {
  const first = points[0]
  const last = points.at(-1)
  const nearest = first !== undefined && second < first[0] ? first : last
  if (nearest === undefined) return false
  const [, x, y, width, height] = nearest
  return Math.min(x, y, 1 - x - width, 1 - y - height) < EDGE * Math.max(width, height)
}

/** How much of a face is in the picture. */
function visibleShare({ x, y, width, height }: Rect): number {
  const wide = Math.min(1, x + width) - Math.max(0, x)
  const high = Math.min(1, y + height) - Math.max(0, y)
  return (Math.max(0, wide) * Math.max(0, high)) / Math.max(1e-9, width * height)
}

/** The middle one of the values, 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

/** The usual place and size of those that are there. */
export function usualFace(faces: readonly (Face | null)[]): Face {
  const there = faces.filter((face) => face !== null)
  return {
    x: median(there.map(({ x }) => x)),
    y: median(there.map(({ y }) => y)),
    width: median(there.map(({ width }) => width)),
    height: median(there.map(({ height }) => height)),
  }
}

/**
 * The track's face at a source second, shares of the source; null: not there. A track ends where its face is lost, so that
 * between two of its points the face is there however far apart they are: points on a straight way are left out.
 * `around`: seconds before the first and after the last point for which it is taken to be where it is found there.
 */
export function faceAt({ points }: Pick<FaceTrack, 'points'>, second: number, around: number): Rect | null {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.[0] ?? 0) <= second) low = middle + 1
    else high = middle
  }
  const before = points[low - 1]
  const after = points[low]
  const only = before ?? after
  if (before === undefined || after === undefined) {
    if (only === undefined || Math.abs(only[0] - second) > around) return null
    return { x: only[1], y: only[2], width: only[3], height: only[4] }
  }
  const share = (second - before[0]) / Math.max(1e-6, after[0] - before[0])
  const between = (at: 1 | 2 | 3 | 4): number => before[at] + (after[at] - before[at]) * share
  return { x: between(1), y: between(2), width: between(3), height: between(4) }
}
