/** Frames the people of a clip, shot by shot: from face tracks to layout spans. */
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import type { LayoutSpan, Pane, Rect, TimeSpan } from '../../contract/composition.ts'
import type { FrameRange } from '../../contract/time.ts'
import { largest, middleOf, placeAround, sizeAround, whole } from '../compose/layout.ts'
import { arrange } from './arrange.ts'
import { planCamera, type Leg } from './camera-path.ts'
import { choose, type Choice, type FramingLimits } from './choose.ts'
import { looksAt } from './speakers.ts'
import { halves, personAndRest, screenAndPerson } from './panes.ts'
import {
  headOf,
  includeBox,
  joinPeople,
  peopleIn,
  playedShots,
  usualFace,
  type Box,
  type Face,
  type Person,
  type Point,
  type Shot,
  type Size,
} from './seen.ts'

export interface FramingRequest {
  readonly faces: ClipFaces
  readonly timeMap: readonly TimeSpan[]
  readonly source: Size
  readonly output: Size
  readonly framesPerSecond: number
  readonly limits: FramingLimits
}

/** With how dear moves are. */
interface Framing extends FramingRequest {
  readonly moveCosts: number
}

/** A face takes at least about this much of the height, where coming closer gets it there. */
const FACE_SHARE = 0.15
const CLOSEST = 1.35
/** Of a view that a head must have at most. */
const MOST = 0.9
/** Heads that move up and down have a view so much higher than their way. */
const AIR = 1.08
/** Moves of a clip, at most: each is some words of ffmpeg's command line, which must stay short of 128 KiB. */
const MAX_MOVES = 80
/** In a clip longer than this moves are dearer from the start. */
const LONG_SECONDS = 300

/** Spans without gap over all played frames. */
export function framePeople(request: FramingRequest): LayoutSpan[] {
  const shots = playedShots(request.faces, request.timeMap)
  const somebody = shots.some((shot) => peopleIn(shot, request.faces, request.source).length > 0)
  // In a long clip, somebody who never rests is followed less closely.
  const seconds = (shots.at(-1)?.endFrame ?? 0) / request.framesPerSecond
  for (let moveCosts = Math.max(1, seconds / LONG_SECONDS); ; moveCosts *= 4) {
    const spans = joined(shots.flatMap((shot) => shotSpans(shot, { ...request, moveCosts }, somebody)))
    const moves = spans.filter((span) => span.kind === 'crop' && span.cropTo !== undefined).length
    if (moves <= MAX_MOVES) return spans
  }
}

function shotSpans(shot: Shot, request: Framing, somebody: boolean): LayoutSpan[] {
  const { faces, source, output, limits } = request
  const { startFrame, endFrame } = shot
  const people = shot.measured ? joinPeople(peopleIn(shot, faces, source), request.framesPerSecond) : []
  const choice = choose({ shot, people, faces, source, output, limits, somebody })
  const panes = (made: readonly Pane[]): LayoutSpan[] => [
    { kind: 'panes', startFrame, endFrame, background: 'blur', panes: [...made] },
  ]
  switch (choice.kind) {
    case 'middle':
      return [
        { kind: 'crop', startFrame, endFrame, crop: middleOf(whole(source), output.width / output.height) },
      ]
    case 'fit':
      return [fitted(shot, whole(source))]
    case 'follow':
      return followSpeakers(shot, choice.people, request)
    case 'together':
      return followClosely(groupsOf(choice.people, source), startFrame, request)
    case 'split':
      return split(shot, choice, request)
    case 'halves':
      return panes(halves(source, output))
    case 'rest':
      return panes(personAndRest(choice.person, source, output))
    case 'screen':
      return panes(screenAndPerson(choice.inset, choice.face, source, output))
  }
}

const fitted = ({ startFrame, endFrame }: FrameRange, crop: Rect): LayoutSpan => ({
  kind: 'fit',
  startFrame,
  endFrame,
  crop,
  zoom: 1,
  background: 'blur',
})

/** One view that follows a person, with cuts to others. */
function followSpeakers(shot: Shot, people: readonly Person[], request: Framing): LayoutSpan[] {
  const { source, framesPerSecond } = request
  const frames = shot.endFrame - shot.startFrame
  return looksAt(people, frames, framesPerSecond).flatMap(({ person, startFrame, endFrame }) =>
    followClosely(
      groupsOf([person], source).slice(startFrame, endFrame),
      shot.startFrame + startFrame,
      request,
    ),
  )
}

/** A pane for each, planned anew when somebody stands up, comes or goes; whoever is alone is followed. */
function split(shot: Shot, choice: Extract<Choice, { kind: 'split' }>, request: Framing): LayoutSpan[] {
  const { source, output, limits } = request
  const { people, maxPeople } = choice
  return arrange({ ...request, people, maxPeople }).flatMap((one): LayoutSpan[] => {
    const startFrame = shot.startFrame + one.startFrame
    const endFrame = shot.startFrame + one.endFrame
    const range = { startFrame, endFrame }
    if (one.panes.length > 0) return [{ kind: 'panes', ...range, background: 'blur', panes: [...one.panes] }]
    const [first] = one.people
    if (first === undefined) return [fitted(range, whole(source))]
    const groups = groupsOf(one.people, source).slice(one.startFrame, one.endFrame)
    const alone = { ...first, faces: first.faces.slice(one.startFrame, one.endFrame) }
    if (one.people.length > 1) return followClosely(groups, startFrame, request)
    if (!limits.forceSplit) return followClosely(groups, startFrame, request)
    return [{ kind: 'panes', ...range, background: 'blur', panes: personAndRest(alone, source, output) }]
  })
}

/** What is followed in a frame: what must be whole, and the face in the middle of it. */
interface Followed {
  readonly head: Box
  readonly face: Face
}

/** All of these people as one, frame by frame: as if they were a face as large as the largest. */
export function groupsOf(people: readonly Person[], source: Size): (Followed | null)[] {
  return (people[0]?.faces ?? []).map((_, frame) => {
    const faces = people.flatMap(({ faces: seen }) => seen[frame] ?? [])
    const face = groupOf(faces)
    const head = faces.reduce<Box | null>((box, one) => includeBox(box, headOf(one, source)), null)
    return face === null || head === null ? null : { face, head }
  })
}

/** One view that holds what is followed, as close as its usual size and its ways up and down allow. */
function followClosely(
  followed: readonly (Followed | null)[],
  startFrame: number,
  request: Framing,
): LayoutSpan[] {
  const { source, output } = request
  const shape = output.width / output.height
  const there = followed.filter((one) => one !== null)
  const usual = usualFace(there.map(({ face }) => face))
  const close = sizeAround(usual, source, shape, FACE_SHARE, CLOSEST)
  const high =
    Math.max(0, ...there.map(({ head }) => head.bottom)) - Math.min(...there.map(({ head }) => head.top))
  const most = largest(source, shape)
  const height = Math.min(most.height, Math.max(close.height, high * AIR))
  return followHeads(followed, {
    ...request,
    startFrame,
    view: { width: height * shape, height },
    usual,
    widens: true,
  })
}

/** A view of constant size follows heads from `startFrame` on; `usual` is used for a face that is never seen. */
export function followHeads(
  followed: readonly (Followed | null)[],
  following: Pick<Framing, 'source' | 'framesPerSecond' | 'moveCosts'> & {
    readonly startFrame: number
    readonly view: Size
    readonly usual: Face
    /** Whether the picture may widen where nobody can be held. */
    readonly widens: boolean
  },
): LayoutSpan[] {
  const { source, startFrame, view, usual } = following
  const bounds = whole(source)
  let last: Face = followed.find((one) => one !== null)?.face ?? usual
  const wanted = followed.map((one): Point => {
    last = one?.face ?? last
    return placeAround(last, view, bounds)
  })
  // A head larger than the view is seen as much as it can be: a close picture is not widened for its ears.
  const heads = followed.map((one) => (one === null ? null : capBox(one.head, one.face, view)))
  return planCamera({ ...following, heads, wanted }).map((part) => {
    const range = { startFrame: part.startFrame + startFrame, endFrame: part.endFrame + startFrame }
    return 'wide' in part ? fitted(range, part.wide) : spanOf({ ...part, ...range }, view)
  })
}

/** The box, at most as large as its face or most of the view, whichever is larger. */
function capBox({ left, top, right, bottom }: Box, face: Face, view: Size): Box {
  const wide = Math.max(MOST * view.width, face.width) / 2
  const high = Math.max(MOST * view.height, face.height) / 2
  return {
    left: Math.max(left, face.x - wide),
    top: Math.max(top, face.y - high),
    right: Math.min(right, face.x + wide),
    bottom: Math.min(bottom, face.y + high),
  }
}

/** One rectangle around all faces, as if it were a face as large as the largest. */
function groupOf(faces: readonly Face[]): Face | null {
  if (faces.length === 0) return null
  const left = Math.min(...faces.map(({ x, width }) => x - width / 2))
  const right = Math.max(...faces.map(({ x, width }) => x + width / 2))
  const height = Math.max(...faces.map((face) => face.height))
  const y = faces.reduce((sum, face) => sum + face.y, 0) / faces.length
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
