/**
 * Joins detections in single pictures to face tracks: one track is one face within one shot. Between detections, and while a
 * head is turned away or bowed, it is followed by its looks. PURE.
 */
import { appearanceOf, locate, type Appearance } from './appearance.ts'
import { interpolateFace, overlapOf, type Face, type Grey, type Track } from './face.ts'
import { measureMouthMotion, patchesOf, type FacePatches } from './mouth.ts'

/** Only faces with this score begin a track; one that is followed is recognised with less. */
const BEGIN_SCORE = 0.75
/** A face that was neither detected nor followed for longer than this, in seconds, starts a new track. */
const LOST_AFTER = 2.5
/** A head is followed by its looks for so long without being detected. */
const MAX_FOLLOWED = 4
/** Looks that are less alike are another thing; looks that are more alike are remembered as they are now. */
const ALIKE = 0.65
const SAME = 0.8
/** Shorter tracks, in seconds, are false detections, and those detected less often. */
const MIN_SECONDS = 0.7
const MIN_DETECTIONS = 3
/** How far from where it is followed to a face may be detected, in its widths; more for each second that it was lost. */
const REACH = 0.9
const REACH_PER_SECOND = 1.2
const MAX_REACH = 3
/** What ends further from where it is detected has slid onto something else, in faces. */
const SLID = 0.7
/** Tracks that overlap by more are on one face. */
const SAME_FACE = 0.45
/** Pictures that are remembered, to follow a new face back to where it came in or turned around. */
const REMEMBERED = 25

interface TimedPicture {
  readonly time: number
  readonly picture: Grey
}

type Point = Track['points'][number]

interface OpenTrack extends Track {
  patches: FacePatches | null
  /** As it was last detected, and when. */
  found: Point
  detections: number
  /** Where it is now, and its movement per picture. */
  place: Face
  moves: { readonly x: number; readonly y: number }
  look: Appearance
}

export interface FollowState {
  readonly closed: readonly Track[]
  readonly open: readonly OpenTrack[]
  readonly remembered: readonly TimedPicture[]
  readonly seen: number
  readonly ids: number
}

const NOTHING_SEEN: FollowState = { closed: [], open: [], remembered: [], seen: 0, ids: 0 }

/** `state`: of the pictures before. Its open tracks are changed. */
export function followFaces(state: FollowState = NOTHING_SEEN) {
  const closed = [...state.closed]
  let open = [...state.open]
  let remembered = [...state.remembered]
  let { seen, ids } = state
  const close = (track: OpenTrack): void => {
    const { id, points, motion, firstPicture, detections } = track
    const seconds = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0)
    if (seconds >= MIN_SECONDS && detections >= MIN_DETECTIONS)
      closed.push({ id, points, motion, firstPicture })
  }
  return {
    /** The pictures since the last call, in the last of which `faces` were detected. No shot may begin within them. */
    add: (pictures: readonly TimedPicture[], faces: readonly Face[]): void => {
      const last = pictures.at(-1)
      if (last === undefined) return
      const before = pictures.at(-2) ?? remembered.at(-1)
      const apart = last.time - (before?.time ?? last.time - 1)
      const ways = new Map(open.map((track) => [track, followThrough(track, pictures)] as const))
      const free = new Set(faces)
      const paired = new Map(findPairs(open, faces, last.time))
      for (const [track, face] of paired) {
        free.delete(face)
        measure(track, pictures, face, seen)
        track.points.push(
          ...correctWay(ways.get(track) ?? [], track.points.at(-1), { time: last.time, face }),
        )
        settle(track, last, face, apart)
      }
      const others = open.filter((track) => paired.has(track)).map(({ place }) => place)
      for (const track of open) {
        if (paired.has(track) || last.time - track.found.time > MAX_FOLLOWED) continue
        // One that has slid onto another face is lost.
        if (others.some((other) => overlapOf(other, track.place) > SAME_FACE)) continue
        const way = ways.get(track) ?? []
        if (way.length === pictures.length) track.points.push(...way)
      }
      const isLost = (track: OpenTrack): boolean => last.time - (track.points.at(-1)?.time ?? 0) > LOST_AFTER
      open.filter(isLost).forEach(close)
      open = open.filter((track) => !isLost(track))
      seen += pictures.length
      for (const face of free) {
        if (face.score < BEGIN_SCORE) continue
        const track = begin((ids += 1) - 1, last, face, seen - 1)
        track.points.unshift(...followBack(track, [...remembered, ...pictures.slice(0, -1)], open))
        open.push(track)
      }
      // Only the small grey pictures: whoever passed them may hold larger ones.
      const latest = pictures.map(({ time, picture }) => ({ time, picture }))
      remembered = [...remembered, ...latest].slice(-REMEMBERED)
    },
    state: (): FollowState => ({ closed, open, remembered, seen, ids }),
    /** Ends all tracks, because the next picture belongs to another shot. */
    endShot: (): void => {
      open.forEach(close)
      open = []
      remembered = []
    },
    finish: (): Track[] => {
      open.forEach(close)
      open = []
      return closed.toSorted((a, b) => a.id - b.id)
    },
  }
}

function begin(id: number, { time, picture }: TimedPicture, face: Face, firstPicture: number): OpenTrack {
  const found = { time, face }
  return {
    id,
    points: [found],
    motion: [0],
    firstPicture,
    patches: patchesOf(picture, face),
    found,
    detections: 1,
    place: face,
    moves: { x: 0, y: 0 },
    look: appearanceOf(picture, face),
  }
}

/** The track is at a detected face. */
function settle(track: OpenTrack, { time, picture }: TimedPicture, face: Face, apart: number): void {
  const before = track.points.at(-2)
  track.found = { time, face }
  track.detections += 1
  track.place = face
  track.look = appearanceOf(picture, face)
  const pictures = before === undefined ? Infinity : Math.max(1, Math.round((time - before.time) / apart))
  track.moves = {
    x: (face.x - (before?.face.x ?? 0)) / pictures,
    y: (face.y - (before?.face.y ?? 0)) / pictures,
  }
}

/**
 * Where the head goes by its looks, picture by picture; ends where it is lost. Moves the track's place along; one that is
 * lost is where it was last, and only a detection finds it again: other things look alike after a while.
 */
function followThrough(track: OpenTrack, pictures: readonly TimedPicture[]): Point[] {
  const way: Point[] = []
  for (const { time, picture } of pictures) {
    const expected = moveFace(track.place, track.moves.x, track.moves.y, track.place.score)
    const found = locate(picture, track.look, expected)
    if (found === null || found.likeness < ALIKE) {
      track.look = null
      track.moves = { x: 0, y: 0 }
      break
    }
    const place = moveFace(expected, found.box.x - expected.x, found.box.y - expected.y, found.likeness)
    track.moves = { x: place.x - track.place.x, y: place.y - track.place.y }
    track.place = place
    if (found.likeness >= SAME) track.look = appearanceOf(picture, place)
    way.push({ time, face: place })
  }
  return way
}

/** From a new face back in time, as long as it looks the same and nobody else is there. */
function followBack(
  track: OpenTrack,
  pictures: readonly TimedPicture[],
  open: readonly OpenTrack[],
): Point[] {
  const back: OpenTrack = { ...track }
  const way: Point[] = []
  for (const picture of pictures.toReversed()) {
    const [point] = followThrough(back, [picture])
    if (point === undefined || point.face.score < SAME) break
    const isTaken = open.some(({ points }) =>
      points.some(({ time, face }) => time === point.time && overlapOf(face, point.face) > 0),
    )
    if (isTaken) break
    way.unshift(point)
  }
  return way
}

function moveFace(face: Face, x: number, y: number, score: number): Face {
  return {
    ...face,
    x: face.x + x,
    y: face.y + y,
    score,
    landmarks: face.landmarks.map((value, at) => value + (at % 2 === 0 ? x : y)),
  }
}

/** The way between two detections: what it is off at the second one is spread over it. */
function correctWay(way: readonly Point[], from: Point | undefined, to: Point): Point[] {
  const end = way.at(-1)
  if (end === undefined || from === undefined || end.time < to.time) return [to]
  const off = { x: middleX(to.face) - middleX(end.face), y: middleY(to.face) - middleY(end.face) }
  if (Math.hypot(off.x, off.y) > SLID * to.face.width) return [to]
  const followed = way.slice(0, -1).map(({ time, face }): Point => {
    const share = (time - from.time) / (to.time - from.time)
    const grown = interpolateFace(
      { ...face, ...centred(face, from.face) },
      { ...face, ...centred(face, to.face) },
      share,
    )
    return { time, face: moveFace(grown, off.x * share, off.y * share, face.score) }
  })
  return [...followed, to]
}

const middleX = ({ x, width }: Face): number => x + width / 2
const middleY = ({ y, height }: Face): number => y + height / 2

/** The size of another face around the middle of this one. */
function centred(face: Face, { width, height }: Face) {
  return { x: middleX(face) - width / 2, y: middleY(face) - height / 2, width, height }
}

/** Measures the mouth's motion through the new pictures, assuming that the face moves evenly between its detections. */
function measure(track: OpenTrack, pictures: readonly TimedPicture[], face: Face, seen: number): void {
  // In pictures where the face was lost its mouth counts as still.
  while (track.firstPicture + track.motion.length < seen) track.motion.push(0)
  pictures.forEach(({ picture }, place) => {
    const now = patchesOf(picture, interpolateFace(track.found.face, face, (place + 1) / pictures.length))
    track.motion.push(track.patches === null ? 0 : measureMouthMotion(track.patches, now))
    track.patches = now
  })
}

/** Pairs the nearest tracks and faces; each is used once. */
function findPairs(tracks: readonly OpenTrack[], faces: readonly Face[], now: number): [OpenTrack, Face][] {
  const offers = tracks.flatMap((track) => {
    const { place } = track
    const lost = now - (track.points.at(-1)?.time ?? now)
    const reach = Math.min(MAX_REACH, REACH + REACH_PER_SECOND * lost)
    return faces.flatMap((face) => {
      // By its looks it may have slid onto a hand that passed; it may still be where it was before.
      const nearest = Math.min(
        measureDistance(place, face),
        measureDistance(track.points.at(-1)?.face ?? place, face),
      )
      const away = nearest / Math.max(place.width, face.width)
      const alike = Math.max(place.width, face.width) / Math.min(place.width, face.width) < 1.8
      return away <= reach && alike ? [{ track, face, value: overlapOf(place, face) - away }] : []
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
  return Math.hypot(middleX(a) - middleX(b), middleY(a) - middleY(b))
}

/** Maximum deviation from the original path as a share of the picture, a pixel or two of a small one, and of the face. */
const TOLERANCE = 0.002
const FACE_TOLERANCE = 0.06
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
  const tolerance = Math.max(TOLERANCE, FACE_TOLERANCE * point.face.width)
  return (['x', 'y', 'width', 'height'] as const).every(
    (side) => Math.abs(expected[side] - point.face[side]) <= tolerance,
  )
}
