/** Finds ranges that show a screen (slides, a game, a desktop) with the person in an inset, in a corner, or not at all. PURE. */
import type { ClipFaces } from '../../../../server/contract/clip-measurements.ts'
import { findSteadyEdges, type EdgePicture } from './edges.ts'
import { frameAround, type Frame } from './frame-around.ts'
import type { Track } from './face.ts'

type Screen = ClipFaces['screens'][number]
type Box = NonNullable<Screen['inset']>

/** Maximum height of a face as a share of the picture, in an inset with and without a frame. */
const MAX_FRAMED_HEIGHT = 0.36
const MAX_UNFRAMED_HEIGHT = 0.24
/** A webcam does not move, so the centre of the face stays within this share of the picture. */
const STEADY = 0.06
const MIN_SECONDS = 3
/** Faces whose centres are closer than this (share of the picture) belong to one person in front of one camera. */
const SAME_PLACE = 0.08
/** A frame that is not visible for longer than this, in seconds, has ended. */
const MAX_GAP_SECONDS = 3
/** Distance from the edges that counts as a corner, as a share of the picture. */
const CORNER = 0.36
/** Size of a webcam picture around a face without a frame, in faces. */
const AROUND = { width: 3.4, height: 2.6, above: 0.8 } as const
/** Minimum share of the pictures that must look like a screen. */
const MIN_SCREEN_SHARE = 0.7

/** `pictures` must be from the same range of the source as the tracks. Returns screens in order of start. */
export function findScreens(tracks: readonly Track[], pictures: readonly EdgePicture[]): Screen[] {
  const insets = findPlaces(tracks).flatMap((place) => findInset(place, tracks, pictures) ?? [])
  const found = insets.filter((one, at) => !insets.slice(0, at).some((other) => doOverlap(one, other)))
  const empty = emptyScreens(tracks, pictures).filter((one) => !found.some((other) => doOverlap(one, other)))
  return [...found, ...empty].toSorted((a, b) => a.start - b.start)
}

const doOverlap = (a: Screen, b: Screen): boolean => a.start < b.end && b.start < a.end

interface Place {
  readonly tracks: readonly Track[]
  readonly start: number
  readonly end: number
  /** Typical centre and size of the face, as shares of the picture. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Small faces that stay in one place, grouped across cuts; the one seen longest comes first. */
function findPlaces(tracks: readonly Track[]): Place[] {
  const groups: Track[][] = []
  for (const track of tracks) {
    const { x, y } = usualFace([track])
    const same = groups.find((group) => {
      const other = usualFace(group)
      const last = group.at(-1)?.points.at(-1)?.time ?? 0
      const near = Math.hypot(other.x - x, other.y - y) < SAME_PLACE
      return near && (track.points[0]?.time ?? 0) - last <= MAX_GAP_SECONDS
    })
    if (same === undefined) groups.push([track])
    else same.push(track)
  }
  const seconds = ({ start, end }: Place): number => end - start
  return groups
    .map((group): Place => {
      const times = group.flatMap(({ points }) => points.map(({ time }) => time))
      return { tracks: group, start: Math.min(...times), end: Math.max(...times), ...usualFace(group) }
    })
    .filter((place) => seconds(place) >= MIN_SECONDS && place.height < MAX_FRAMED_HEIGHT && isSteady(place))
    .toSorted((a, b) => seconds(b) - seconds(a))
}

function usualFace(tracks: readonly Track[]): { x: number; y: number; width: number; height: number } {
  const faces = tracks.flatMap(({ points }) => points.map(({ face }) => face))
  return {
    x: middle(faces.map(({ x, width }) => x + width / 2)),
    y: middle(faces.map(({ y, height }) => y + height / 2)),
    width: middle(faces.map(({ width }) => width)),
    height: middle(faces.map(({ height }) => height)),
  }
}

function isSteady({ tracks }: Place): boolean {
  const faces = tracks.flatMap(({ points }) => points.map(({ face }) => face))
  const steady = (values: readonly number[]): boolean => spread(values) < STEADY
  return (
    steady(faces.map(({ x, width }) => x + width / 2)) && steady(faces.map(({ y, height }) => y + height / 2))
  )
}

/** A frame around the face, whatever is outside; or, without a frame, a screen around a single person in a corner. */
function findInset(place: Place, tracks: readonly Track[], pictures: readonly EdgePicture[]): Screen | null {
  const during = pictures.filter(({ time }) => time >= place.start && time <= place.end)
  const [first] = during
  if (first === undefined) return null
  const { width, height } = first
  const face = {
    x: place.x * width,
    y: place.y * height,
    width: place.width * width,
    height: place.height * height,
  }
  const frame = frameAround(findSteadyEdges(during), face)
  if (frame !== null) {
    const { left, top, right, bottom } = frame
    const box: Box = [left / width, top / height, (right - left) / width, (bottom - top) / height]
    return { ...findFramedTime(frame, place, pictures), inset: box }
  }
  const looksSo = during.filter(({ screen }) => screen).length >= MIN_SCREEN_SHARE * during.length
  if (!looksSo || place.height >= MAX_UNFRAMED_HEIGHT || !isInCorner(place) || !isAlone(place, tracks))
    return null
  return { start: place.start, end: place.end, inset: buildBox(place) }
}

/** The time during which the frame is visible, including while no face is found in it: the person may lean out of view. */
function findFramedTime(frame: Frame, place: Place, pictures: readonly EdgePicture[]) {
  let { start, end } = place
  const framed = pictures.filter((picture) => hasFrame(picture, frame)).map(({ time }) => time)
  for (const time of framed.filter((at) => at > end)) if (time - end <= MAX_GAP_SECONDS) end = time
  for (const time of framed.filter((at) => at < start).toReversed())
    if (start - time <= MAX_GAP_SECONDS) start = time
  return { start, end }
}

/** Share of a frame's own sides on which a picture must have edges. */
const MIN_EDGE_SHARE = 0.4

function hasFrame(picture: EdgePicture, { left, top, right, bottom }: Frame): boolean {
  const one = findSteadyEdges([picture])
  const { width, height, across, down } = one
  let sum = 0
  let count = 0
  const look = (value: number | undefined): void => {
    sum += value ?? 0
    count += 1
  }
  for (const x of [left, right].filter((at) => at > 0 && at < width - 1))
    for (let y = top; y <= bottom; y += 1) look(across[y * width + x])
  for (const y of [top, bottom].filter((at) => at > 0 && at < height - 1))
    for (let x = left; x <= right; x += 1) look(down[y * width + x])
  return count > 0 && sum / count >= MIN_EDGE_SHARE
}

function isInCorner({ x, y }: Place): boolean {
  return (x < CORNER || x > 1 - CORNER) && (y < CORNER || y > 1 - CORNER)
}

function isAlone(place: Place, tracks: readonly Track[]): boolean {
  return tracks.every((other) => {
    const from = other.points[0]?.time ?? 0
    const to = other.points.at(-1)?.time ?? 0
    return place.tracks.includes(other) || Math.min(place.end, to) - Math.max(place.start, from) < 0.5
  })
}

function buildBox({ x, y, width, height }: Place): Box {
  const left = Math.max(0, x - (AROUND.width * width) / 2)
  const top = Math.max(0, y - height / 2 - AROUND.above * height)
  return [left, top, Math.min(1 - left, AROUND.width * width), Math.min(1 - top, AROUND.height * height)]
}

/** Ranges in which no face is seen and most pictures look like a screen. */
function emptyScreens(tracks: readonly Track[], pictures: readonly EdgePicture[]): Screen[] {
  const stretches: { start: number; end: number; inset: null }[] = []
  let open: { start: number; end: number; inset: null } | null = null
  for (const { time, screen } of pictures) {
    const somebody = tracks.some(
      ({ points }) => time >= (points[0]?.time ?? 0) && time <= (points.at(-1)?.time ?? 0),
    )
    if (!screen || somebody) open = null
    else if (open === null) stretches.push((open = { start: time, end: time, inset: null }))
    else open.end = time
  }
  return stretches.filter(({ start, end }) => end - start >= MIN_SECONDS)
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Range from the 10th to the 90th percentile, so that one wrong box does not count as movement. */
function spread(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return at(0.9) - at(0.1)
}
