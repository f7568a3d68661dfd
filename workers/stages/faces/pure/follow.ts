/** Faces of single pictures put together to people who stay: one track is one face within one shot. PURE. */
import { between, overlapOf } from './boxes.ts'
import { mouthMotion, patchesOf, type FacePatches } from './mouth.ts'
import type { Face, Grey, Track } from './types.ts'

/** A face that was not found for longer than this is somebody new, seconds. */
const LOST_AFTER = 1.2
/** Tracks shorter than this are chance, seconds. */
const MIN_SECONDS = 0.7
/** A face may be this far from where it was, in its own widths. */
const REACH = 0.9

interface OpenTrack extends Track {
  patches: FacePatches | null
}

export interface Follower {
  /** The pictures since the last call, the last of which was searched for `faces`. A shot does not begin within them. */
  add(pictures: readonly { readonly time: number; readonly picture: Grey }[], faces: readonly Face[]): void
  /** Ends every track: the next picture is of another shot. */
  cut(): void
  /** All tracks that are long enough to be people. */
  finish(): Track[]
}

export function followFaces(): Follower {
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
    add: (pictures, faces) => {
      const last = pictures.at(-1)
      if (last === undefined) return
      const free = new Set(faces)
      for (const [track, face] of pairsOf(open, faces)) {
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
    cut: () => {
      open.forEach(close)
      open = []
    },
    finish: () => {
      open.forEach(close)
      open = []
      return closed.toSorted((a, b) => a.id - b.id)
    },
  }
}

/** Motion of the mouth through the new pictures; the face is taken to move evenly to where it was found again. */
function measure(
  track: OpenTrack,
  pictures: readonly { readonly time: number; readonly picture: Grey }[],
  face: Face,
  seen: number,
): void {
  const from = track.points.at(-1)
  if (from === undefined) return
  // Pictures in which the face was lost count as still.
  while (track.firstPicture + track.motion.length < seen) track.motion.push(0)
  pictures.forEach(({ picture }, place) => {
    const now = patchesOf(picture, between(from.face, face, (place + 1) / pictures.length))
    track.motion.push(track.patches === null ? 0 : mouthMotion(track.patches, now))
    track.patches = now
  })
}

/** The nearest belong together; each face and each track once. */
function pairsOf(tracks: readonly OpenTrack[], faces: readonly Face[]): [OpenTrack, Face][] {
  const offers = tracks.flatMap((track) => {
    const last = track.points.at(-1)?.face
    if (last === undefined) return []
    return faces.flatMap((face) => {
      const away = distance(last, face) / Math.max(last.width, face.width)
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

function distance(a: Face, b: Face): number {
  return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2)
}
