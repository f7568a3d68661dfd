/** Frames the people of a clip, shot by shot: from face tracks to layout spans. */
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import type { LayoutSpan, Rect, TimeSpan } from '../../contract/composition.ts'
import { cameraPath, MIN_REST_SECONDS, type Leg } from './camera-path.ts'
import { choose, type Choice, type FramingLimits } from './choose.ts'
import { looksAt } from './speakers.ts'
import { halves, peoplePanes, personAndRest, screenAndPerson } from './panes.ts'
import { peopleIn, playedShots, usualFace, type Face, type Shot, type Size, type Point } from './seen.ts'
import { middleOf, placeAround, sizeAround, whole } from '../compose/layout.ts'

export interface FramingRequest {
  readonly faces: ClipFaces
  readonly timeMap: readonly TimeSpan[]
  readonly source: Size
  readonly output: Size
  readonly framesPerSecond: number
  readonly limits: FramingLimits
}

/** With how long the camera rests between moves. */
interface Framing extends FramingRequest {
  readonly restSeconds: number
}

/** A face takes at least about this much of the height, where coming closer gets it there. */
const FACE_SHARE = 0.15
const CLOSEST = 1.35
/** Moves of a clip, at most: each is some words of ffmpeg's command line, which must stay short of 128 KiB. */
const MAX_MOVES = 80

/** Spans without gap over all played frames. */
export function framePeople(request: FramingRequest): LayoutSpan[] {
  const shots = playedShots(request.faces, request.timeMap)
  const somebody = shots.some((shot) => peopleIn(shot, request.faces, request.source).length > 0)
  // In a long clip, somebody who never rests is followed less closely.
  for (let restSeconds = MIN_REST_SECONDS; ; restSeconds *= 2) {
    const spans = joined(shots.flatMap((shot) => shotSpans(shot, { ...request, restSeconds }, somebody)))
    const moves = spans.filter((span) => span.kind === 'crop' && span.cropTo !== undefined).length
    if (moves <= MAX_MOVES) return spans
  }
}

function shotSpans(shot: Shot, request: Framing, somebody: boolean): LayoutSpan[] {
  const { faces, source, output, limits } = request
  const { startFrame, endFrame } = shot
  const people = shot.measured ? peopleIn(shot, faces, source) : []
  const choice = choose({ shot, people, faces, source, output, limits, somebody })
  const crop = middleOf(whole(source), output.width / output.height)
  switch (choice.kind) {
    case 'middle':
      return [{ kind: 'crop', startFrame, endFrame, crop }]
    case 'fit':
      return [{ kind: 'fit', startFrame, endFrame, crop: whole(source), zoom: 1, background: 'blur' }]
    case 'follow':
    case 'together':
      return followed(shot, choice, request)
    default:
      return [
        { kind: 'panes', startFrame, endFrame, background: 'blur', panes: panesOf(choice, source, output) },
      ]
  }
}

function panesOf(
  choice: Exclude<Choice, { kind: 'follow' | 'together' } | { kind: 'middle' | 'fit' }>,
  source: Size,
  output: Size,
) {
  switch (choice.kind) {
    case 'split':
      return peoplePanes(choice.people, source, output)
    case 'halves':
      return halves(source, output)
    case 'rest':
      return personAndRest(choice.person, source, output)
    case 'screen':
      return screenAndPerson(choice.inset, choice.face, source, output)
  }
}

/** One view that follows a person, with cuts to others, or that holds all of them. */
function followed(shot: Shot, choice: Extract<Choice, { kind: 'follow' | 'together' }>, request: Framing) {
  const frames = shot.endFrame - shot.startFrame
  if (choice.kind === 'together') {
    const groups = Array.from({ length: frames }, (_, frame) =>
      groupOf(choice.people.map(({ faces }) => faces[frame] ?? null)),
    )
    return path(groups, shot.startFrame, request)
  }
  return looksAt(choice.people, frames, request.framesPerSecond).flatMap(({ person, startFrame, endFrame }) =>
    path(person.faces.slice(startFrame, endFrame), shot.startFrame + startFrame, request),
  )
}

function path(faces: readonly (Face | null)[], startFrame: number, request: Framing): LayoutSpan[] {
  const { source, output } = request
  const usual = usualFace(faces)
  const view = sizeAround(usual, source, output.width / output.height, FACE_SHARE, CLOSEST)
  return followFaces(faces, { ...request, startFrame, view, usual })
}

/** A view of constant size follows a face from `startFrame` on; `usual` is used for a face that is never seen. */
export function followFaces(
  faces: readonly (Face | null)[],
  following: Pick<Framing, 'source' | 'framesPerSecond' | 'restSeconds'> & {
    readonly startFrame: number
    readonly view: Size
    readonly usual: Face
  },
): LayoutSpan[] {
  const { source, startFrame, view, usual, framesPerSecond, restSeconds } = following
  const bounds = whole(source)
  let last: Face = faces.find((face) => face !== null) ?? usual
  const wanted = faces.map((face): Point => {
    last = face ?? last
    return placeAround(last, view, bounds)
  })
  return cameraPath({ wanted, view, framesPerSecond, restSeconds }).map((leg) =>
    spanOf({ ...leg, startFrame: leg.startFrame + startFrame, endFrame: leg.endFrame + startFrame }, view),
  )
}

/** One rectangle around all faces that are there, as if it were a face as large as the largest. */
function groupOf(faces: readonly (Face | null)[]): Face | null {
  const there = faces.filter((face) => face !== null)
  if (there.length === 0) return null
  const left = Math.min(...there.map(({ x, width }) => x - width / 2))
  const right = Math.max(...there.map(({ x, width }) => x + width / 2))
  const height = Math.max(...there.map((face) => face.height))
  const y = there.reduce((sum, face) => sum + face.y, 0) / there.length
  return { x: (left + right) / 2, y, width: right - left, height }
}

function spanOf({ startFrame, endFrame, from, to }: Leg, view: Size): LayoutSpan {
  const rect = ({ x, y }: Point): Rect => ({ x, y, width: view.width, height: view.height })
  const moves = from.x !== to.x || from.y !== to.y
  const move = moves ? { cropTo: rect(to), eased: true as const } : {}
  return { kind: 'crop', startFrame, endFrame, crop: rect(from), ...move }
}

/** Without two spans in a row that show the same. */
export function joined(spans: readonly LayoutSpan[]): LayoutSpan[] {
  const merged: LayoutSpan[] = []
  for (const span of spans) {
    const last = merged.at(-1)
    const same = (one: LayoutSpan): string => JSON.stringify({ ...one, startFrame: 0, endFrame: 0 })
    const rests = span.kind !== 'crop' || span.cropTo === undefined
    if (last !== undefined && rests && same(last) === same(span))
      merged[merged.length - 1] = { ...last, endFrame: span.endFrame }
    else merged.push(span)
  }
  return merged
}
