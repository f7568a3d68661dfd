/** From who is seen in a clip to how the source fills the output, shot by shot. */
import type { ClipFaces } from '../../contract/clip-faces.ts'
import type { LayoutSpan, Rect, TimeSpan } from '../../contract/composition.ts'
import { cameraPath, smoothstep, type Leg, type Point } from './camera-path.ts'
import { choose, type Choice, type Wishes } from './choose.ts'
import { looksAt } from './speakers.ts'
import { halves, peoplePanes, personAndRest, screenAndPerson } from './panes.ts'
import { peopleIn, playedShots, usualFace, type Face, type Shot, type Size } from './seen.ts'
import { middleOf, placeAround, sizeAround, whole } from './views.ts'

export interface FramingRequest {
  readonly faces: ClipFaces
  readonly timeMap: readonly TimeSpan[]
  readonly source: Size
  readonly output: Size
  readonly framesPerSecond: number
  readonly wishes: Wishes
}

/** A face takes at least about this much of the height, where coming closer gets it there. */
const FACE_SHARE = 0.15
const CLOSEST = 1.35
/** Straight pieces that all moves of a clip are made of together: each is a few words of ffmpeg's command line. */
const MOST_PIECES = 300

/** Spans without gap over all played frames. */
export function framePeople(request: FramingRequest): LayoutSpan[] {
  const shots = playedShots(request.faces, request.timeMap)
  const somebody = shots.some((shot) => peopleIn(shot, request.faces, request.source).length > 0)
  const parts = shots.flatMap((shot) => shotParts(shot, request, somebody))
  const moves = parts.filter((part) => 'leg' in part && isMove(part.leg)).length
  const pieces = Math.max(1, Math.floor(MOST_PIECES / Math.max(1, moves)))
  return joined(parts.flatMap((part) => ('leg' in part ? legSpans(part, pieces) : [part])))
}

/** A leg of the camera, in frames of the clip. */
interface CameraPart {
  readonly leg: Leg
  readonly view: Size
}

function isMove(leg: Leg): boolean {
  return leg.from.x !== leg.to.x || leg.from.y !== leg.to.y
}

function shotParts(shot: Shot, request: FramingRequest, somebody: boolean): (LayoutSpan | CameraPart)[] {
  const { faces, source, output, wishes } = request
  const { startFrame, endFrame } = shot
  const people = shot.measured ? peopleIn(shot, faces, source) : []
  const choice = choose({ shot, people, faces, source, output, wishes, somebody })
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
      return screenAndPerson(choice.inset, choice.person, source, output)
  }
}

/** One view that goes with a person, with cuts to others, or with all of them. */
function followed(
  shot: Shot,
  choice: Extract<Choice, { kind: 'follow' | 'together' }>,
  request: FramingRequest,
): CameraPart[] {
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

function path(faces: readonly (Face | null)[], startFrame: number, request: FramingRequest): CameraPart[] {
  const { source, output, framesPerSecond } = request
  const bounds = whole(source)
  const usual = usualFace(faces)
  const view = sizeAround(usual, source, output.width / output.height, FACE_SHARE, CLOSEST)
  let last: Face = faces.find((face) => face !== null) ?? usual
  const wanted = faces.map((face): Point => {
    last = face ?? last
    return placeAround(last, view, bounds)
  })
  return cameraPath({ wanted, view, framesPerSecond }).map((leg) => ({
    leg: { ...leg, startFrame: leg.startFrame + startFrame, endFrame: leg.endFrame + startFrame },
    view,
  }))
}

/** One rectangle around all faces that are there, as if it were a face as large as the largest. */
function groupOf(faces: readonly (Face | null)[]): Face | null {
  const there = faces.filter((face) => face !== null)
  if (there.length === 0) return null
  const [left, right] = [
    Math.min(...there.map(({ x, width }) => x - width / 2)),
    Math.max(...there.map(({ x, width }) => x + width / 2)),
  ]
  const height = Math.max(...there.map((face) => face.height))
  const y = there.reduce((sum, face) => sum + face.y, 0) / there.length
  return { x: (left + right) / 2, y, width: right - left, height }
}

/** A move in straight pieces along a smooth course; a rest in one. */
function legSpans({ leg, view }: CameraPart, mostPieces: number): LayoutSpan[] {
  const rect = ({ x, y }: Point): Rect => ({ x, y, width: view.width, height: view.height })
  const { startFrame, endFrame, from, to } = leg
  if (!isMove(leg)) return [{ kind: 'crop', startFrame, endFrame, crop: rect(from) }]
  const length = endFrame - startFrame
  const count = Math.min(mostPieces, Math.max(1, Math.ceil(length / 2)))
  const at = (piece: number): number => Math.round((piece * length) / count)
  const along = (frame: number): Point => {
    const way = smoothstep(frame / length)
    return { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way }
  }
  return Array.from({ length: count }, (_, piece): LayoutSpan => {
    const [start, end] = [at(piece), at(piece + 1)]
    return {
      kind: 'crop',
      startFrame: startFrame + start,
      endFrame: startFrame + end,
      crop: rect(along(start)),
      cropTo: rect(along(end)),
    }
  })
}

/** Without two spans in a row that show the same. */
function joined(spans: readonly LayoutSpan[]): LayoutSpan[] {
  const kept: LayoutSpan[] = []
  for (const span of spans) {
    const last = kept.at(-1)
    const same = (one: LayoutSpan): string => JSON.stringify({ ...one, startFrame: 0, endFrame: 0 })
    const rests = span.kind !== 'crop' || span.cropTo === undefined
    if (last !== undefined && rests && same(last) === same(span))
      kept[kept.length - 1] = { ...last, endFrame: span.endFrame }
    else kept.push(span)
  }
  return kept
}
