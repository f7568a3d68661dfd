/** One view of constant size that follows heads: from faces to layout spans. */
import type { LayoutSpan, Rect } from '../../contract/composition.ts'
import type { FrameRange } from '../../contract/time.ts'
import { placeAround, whole } from '../compose/layout.ts'
import { planCamera, type Leg } from './camera-path.ts'
import {
  headOf,
  includeBox,
  shiftBanners,
  type BannerSpan,
  type Box,
  type Face,
  type Person,
  type Point,
  type Size,
} from './seen.ts'

/** Of a view that a head must have at most. */
const MOST = 0.9

/** What is followed in a frame: what must be whole, and the face in the middle of it. */
export interface Followed {
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

interface Following {
  readonly source: Size
  readonly framesPerSecond: number
  /** How much dearer moves are than usual, 1 or more. */
  readonly moveCosts: number
  /** Frames counted as `startFrame` is. */
  readonly banners: readonly BannerSpan[]
  readonly startFrame: number
  readonly view: Size
  readonly usual: Face
  /** Whether the picture may widen where nobody can be held. */
  readonly widens: boolean
  /** Where the view is already; absent: nowhere yet. */
  readonly startsAt?: Point
}

/** A view of constant size follows heads from `startFrame` on; `usual` is used for a face that is never seen. */
export function followHeads(followed: readonly (Followed | null)[], following: Following): LayoutSpan[] {
  const { source, startFrame, view, usual } = following
  const bounds = whole(source)
  let last: Face = followed.find((one) => one !== null)?.face ?? usual
  const wanted = followed.map((one): Point => {
    last = one?.face ?? last
    return placeAround(last, view, bounds)
  })
  // A head larger than the view is seen as much as it can be: a close picture is not widened for its ears.
  const heads = followed.map((one) => (one === null ? null : capBox(one.head, one.face, view)))
  const banners = shiftBanners(following.banners, -startFrame)
  return planCamera({ ...following, heads, wanted, banners }).map((part) => {
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

/** A part of the source over its blur. */
export const fitted = ({ startFrame, endFrame }: FrameRange, crop: Rect): LayoutSpan => ({
  kind: 'fit',
  startFrame,
  endFrame,
  crop,
  zoom: 1,
  background: 'blur',
})
