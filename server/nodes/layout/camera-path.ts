/**
 * How the camera follows what it looks at: it rests, for a second at least, until what it looks at has left the middle
 * for good; then it moves once, gently, to where that stays next. Far jumps are cuts.
 */
import type { Size, Point } from './seen.ts'

/** From `startFrame` to `endFrame` the view moves from `from` to `to`; equal points: it rests. Frames of the shot. */
export interface Leg {
  readonly startFrame: number
  readonly endFrame: number
  readonly from: Point
  readonly to: Point
}

export interface PathRequest {
  /** Where the view should be in each frame, if it could; source pixels. */
  readonly wanted: readonly Point[]
  /** The view's size. */
  readonly view: Size
  readonly framesPerSecond: number
  /** Between two moves at least; `MIN_REST_SECONDS` or more. */
  readonly restSeconds: number
}

/** What is looked at may go this share of the view away from its middle before the camera follows. */
const DEAD_ZONE_X = 0.1
const DEAD_ZONE_Y = 0.12
/** It must stay outside for this long: heads nod. Seconds. */
const PATIENCE = 0.35
export const MIN_REST_SECONDS = 1
/** The camera starts to move this early, so that nobody leaves the picture while it waits. Seconds. */
const LEAD = 0.25
/** The camera moves to where its target stays for this long. Seconds. */
const AHEAD = 1.2
const MIN_MOVE = 0.6
/** View widths per second and second. */
export const MAX_ACCELERATION = 1.2
/** What is so far from the middle, in views, is about to leave the picture. */
const LOST = 0.3
/** Moves further than this share of the view are cuts. */
const CUT_FROM = 0.85

/** The legs of one path, without gap, from frame 0 to the last one. Places of rest are among those that were wanted. */
export function cameraPath(request: PathRequest): Leg[] {
  const { wanted, view, framesPerSecond, restSeconds } = request
  const frames = (seconds: number): number => Math.max(1, Math.round(seconds * framesPerSecond))
  const legs: Leg[] = []
  let at = middle(wanted.slice(0, frames(AHEAD)))
  let restsFrom = 0
  let frame = 0
  while (frame < wanted.length) {
    if (!leaves(wanted, frame, at, view, frames(PATIENCE))) {
      frame += 1
      continue
    }
    const start = Math.max(restsFrom + frames(restSeconds), frame - frames(LEAD))
    const from = Math.max(frame, start)
    let to = middle(wanted.slice(from, from + frames(AHEAD)))
    // For a target that keeps moving, aim at where it will be when the camera arrives.
    const there = start + moveFrames(distance(at, to, view), frames)
    const onward = middle(wanted.slice(there, there + frames(AHEAD)))
    if (there < wanted.length && distance(at, onward, view) > distance(at, to, view)) to = onward
    const far = distance(at, to, view)
    const length = moveFrames(far, frames)
    // There must be time for the move and for a look at where it led.
    if (start + length + frames(MIN_REST_SECONDS) > wanted.length) {
      legs.push(...findLastMove({ request, at, to, restsFrom, start }))
      return legs
    }
    if (far === 0) {
      frame = start + 1
      continue
    }
    if (start > restsFrom) legs.push({ startFrame: restsFrom, endFrame: start, from: at, to: at })
    if (length > 0) legs.push({ startFrame: start, endFrame: start + length, from: at, to })
    at = to
    restsFrom = start + length
    frame = restsFrom
  }
  legs.push({ startFrame: restsFrom, endFrame: wanted.length, from: at, to: at })
  return legs
}

function distance(from: Point, to: Point, view: Size): number {
  return Math.max(Math.abs(to.x - from.x) / view.width, Math.abs(to.y - from.y) / view.height)
}

/** 0 is a cut. */
function moveFrames(far: number, frames: (seconds: number) => number): number {
  return far > CUT_FROM ? 0 : frames(Math.max(MIN_MOVE, Math.sqrt((6 * far) / MAX_ACCELERATION)))
}

/** The end of a shot without time for a move and a look: it rests, unless what is looked at would leave the picture. */
function findLastMove(end: {
  readonly request: PathRequest
  readonly at: Point
  readonly to: Point
  readonly restsFrom: number
  readonly start: number
}): Leg[] {
  const { at, to, restsFrom, start, request } = end
  const { wanted, view, framesPerSecond } = request
  const rest = { startFrame: restsFrom, endFrame: wanted.length, from: at, to: at }
  const far = distance(at, to, view)
  const seconds = (wanted.length - start) / framesPerSecond
  const leaving = wanted.slice(start).some((place) => distance(at, place, view) > LOST)
  if (!leaving || far > CUT_FROM || seconds < MIN_MOVE) return [rest]
  const share = Math.min(1, (MAX_ACCELERATION * seconds * seconds) / (6 * far))
  const reached = { x: at.x + (to.x - at.x) * share, y: at.y + (to.y - at.y) * share }
  return [
    ...(start > restsFrom ? [{ ...rest, endFrame: start }] : []),
    { startFrame: start, endFrame: wanted.length, from: at, to: reached },
  ]
}

/** Whether what is looked at is outside the dead zone from here on, for as long as patience lasts. */
function leaves(wanted: readonly Point[], frame: number, at: Point, view: Size, patience: number): boolean {
  const next = wanted.slice(frame, frame + patience)
  if (next.length < patience) return false
  return next.every(
    ({ x, y }) =>
      Math.abs(x - at.x) > view.width * DEAD_ZONE_X || Math.abs(y - at.y) > view.height * DEAD_ZONE_Y,
  )
}

/** The wanted point that is nearest to the middle one on both axes. */
function middle(points: readonly Point[]): Point {
  const axis = (pick: (point: Point) => number): number =>
    points.map(pick).toSorted((a, b) => a - b)[points.length >> 1] ?? 0
  return { x: axis(({ x }) => x), y: axis(({ y }) => y) }
}

/** Share of the way at a share of the time (easing). */
export function smoothstep(share: number): number {
  const t = Math.min(1, Math.max(0, share))
  return t * t * (3 - 2 * t)
}
