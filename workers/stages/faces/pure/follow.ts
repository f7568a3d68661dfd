/** Joins detections in single pictures to face tracks: one track is one face within one shot. PURE. */
import { interpolateFace, overlapOf, type Face, type Grey, type Track } from './face.ts'
import { measureMouthMotion, patchesOf, type FacePatches } from './mouth.ts'

/** A face that was not detected for longer than this, in seconds, starts a new track. */
const LOST_AFTER = 1.2
/** Shorter tracks, in seconds, are false detections. */
const MIN_SECONDS = 0.7
/** How far a face may move between detections, in its own widths. */
const REACH = 0.9

interface TimedPicture {
  readonly time: number
  readonly picture: Grey
}

interface OpenTrack extends Track {
  patches: FacePatches | null
}

export function followFaces() {
  const closed: Track[] = []
  let open: OpenTrack[] = []
  let seen = 0
  let ids = 0
  const close = (track: OpenTrack): void => {
    const { id, points, motion, firstPicture } = track
    const seconds = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0)
    if (seconds >= MIN_SECONDS && points.length >= 3) closed.push({ id, points, motion, firstPicture })
  }
  return {
    /** The pictures since the last call, in the last of which `faces` were detected. No shot may begin within them. */
    add: (pictures: readonly TimedPicture[], faces: readonly Face[]): void => {
      const last = pictures.at(-1)
      if (last === undefined) return
      const free = new Set(faces)
      for (const [track, face] of findPairs(open, faces)) {
        free.delete(face)
        measure(track, pictures, face, seen)
        track.points.push({ time: last.time, face })
      }
      for (const track of open) if (last.time - (track.points.at(-1)?.time ?? 0) > LOST_AFTER) close(track)
      open = open.filter((track) => last.time - (track.points.at(-1)?.time ?? 0) <= LOST_AFTER)
      seen += pictures.length
      for (const face of free) {
        const points = [{ time: last.time, face }]
        const patches = patchesOf(last.picture, face)
        open.push({ id: (ids += 1) - 1, points, motion: [0], firstPicture: seen - 1, patches })
      }
    },
    /** Ends all tracks, because the next picture belongs to another shot. */
    endShot: (): void => {
      open.forEach(close)
      open = []
    },
    finish: (): Track[] => {
      open.forEach(close)
      open = []
      return closed.toSorted((a, b) => a.id - b.id)
    },
  }
}

/** Measures the mouth's motion through the new pictures, assuming that the face moves evenly between its detections. */
function measure(track: OpenTrack, pictures: readonly TimedPicture[], face: Face, seen: number): void {
  const from = track.points.at(-1)
  if (from === undefined) return
  // In pictures where the face was lost its mouth counts as still.
  while (track.firstPicture + track.motion.length < seen) track.motion.push(0)
  pictures.forEach(({ picture }, place) => {
    const now = patchesOf(picture, interpolateFace(from.face, face, (place + 1) / pictures.length))
    track.motion.push(track.patches === null ? 0 : measureMouthMotion(track.patches, now))
    track.patches = now
  })
}

/** Pairs the nearest tracks and faces; each is used once. */
function findPairs(tracks: readonly OpenTrack[], faces: readonly Face[]): [OpenTrack, Face][] {
  const offers = tracks.flatMap((track) => {
    const last = track.points.at(-1)?.face
    if (last === undefined) return []
    return faces.flatMap((face) => {
      const away = measureDistance(last, face) / Math.max(last.width, face.width)
      const alike = Math.max(last.width, face.width) / Math.min(last.width, face.width) < 1.8
      return away <= REACH && alike ? [{ track, face, value: overlapOf(last, face) - away }] : []
    })
  })
  const taken = new Set<unknown>()
  return offers
    .toSorted((a, b) => b.value - a.value)
    .flatMap(({ track, face }): [OpenTrack, Face][] => {
      if (taken.has(track) || taken.has(face)) return []
      taken.add(track).add(face)
      return [[track, face]]
    })
}

function measureDistance(a: Face, b: Face): number {
  return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2)
}

type Point = Track['points'][number]

/** Maximum deviation from the original path as a share of the picture: a pixel or two of a small picture. */
const TOLERANCE = 0.002
/** Maximum seconds between points. */
const MAX_SECONDS = 4

/** Removes points that lie on the line between their neighbours, so that an hour of sitting still is a few points. */
export function thinPath(points: readonly Point[]): Point[] {
  const remaining: Point[] = []
  let anchor = 0
  points.forEach((point, place) => {
    const first = points[anchor]
    const next = points[place + 1]
    if (place === 0 || next === undefined || first === undefined) {
      remaining.push(point)
      anchor = place
      return
    }
    const skipped = points.slice(anchor + 1, place + 1)
    const straight =
      next.time - first.time <= MAX_SECONDS && skipped.every((one) => isOnLine(first, next, one))
    if (straight) return
    remaining.push(point)
    anchor = place
  })
  return remaining
}

function isOnLine(from: Point, to: Point, point: Point): boolean {
  const expected = interpolateFace(
    from.face,
    to.face,
    (point.time - from.time) / Math.max(0.001, to.time - from.time),
  )
  return (['x', 'y', 'width', 'height'] as const).every(
    (side) => Math.abs(expected[side] - point.face[side]) <= TOLERANCE,
  )
}
