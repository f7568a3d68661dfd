/**
 * How one view follows what must be seen, planned over a whole look at once: the cheapest chain of rests, gentle moves, cuts
 * and widenings (dynamic programme). A cut head costs most, then widening, cuts, moves, and being off the middle. The aims are
 * those of AutoFlip (Google, 2020) and of Grundmann et al., "Auto-Directed Video Stabilization with Robust L1 Optimal Camera
 * Paths" (CVPR 2011); what is chosen from are the renderer's own moves.
 */
import type { Rect } from '../../contract/composition.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { placeGrid, type CameraRequest, type Grid } from './camera-grid.ts'
import { includeBox, shiftBanners, type Box, type Point, type Size } from './seen.ts'

/** From `startFrame` to `endFrame` the view moves from `from` to `to`; equal points: it rests. Frames of the look. */
export interface Leg {
  readonly startFrame: number
  readonly endFrame: number
  readonly from: Point
  readonly to: Point
}

/** Frames in which the view could not hold what must be seen: this part of the source is shown whole instead. */
export interface Widening {
  readonly startFrame: number
  readonly endFrame: number
  readonly wide: Rect
}

export const MIN_REST_SECONDS = 1
/** View widths per second and second, at the steepest. */
export const MAX_ACCELERATION = 1.2
/** Seconds of a step of the plan. */
const STEP = 0.2
const REST = Math.round(MIN_REST_SECONDS / STEP)
/** Lengths of moves and the least length of a widening, in steps. */
const MOVES = [3, 4, 5, 7, 9, 12, 16, 22] as const
const WIDE = 15
/** Steps that are planned at once: five minutes. */
const MAX_STEPS = 1500
/** Widenings are at most this long, in steps. */
const WIDEST = 300
/** Per change; of widening also for each second, and for each doubling of what is seen. */
const COSTS = { move: 1.5, steep: 1, cut: 8, widen: 10, wideSecond: 1.5, doubling: 3 } as const
/** Chains that are so much dearer than the best one are given up: the best could cut to where they are. */
const HOPELESS = 10
/** Free around a widened picture's heads, as a share of the view. */
const AIR = 0.12

/** Legs and widenings without gap, from frame 0 to the last one. A very long look is planned piece by piece. */
export function planCamera(request: CameraRequest): (Leg | Widening)[] {
  const frames = request.wanted.length
  const stepFrames = Math.max(1, Math.round(STEP * request.framesPerSecond))
  const parts: (Leg | Widening)[] = []
  for (let from = 0, to = 0; from < frames; from = to) {
    to = Math.min(frames, from + MAX_STEPS * stepFrames)
    const heads = request.heads.slice(from, to)
    const wanted = request.wanted.slice(from, to)
    const last = parts.at(-1)
    const startsAt = last === undefined || 'wide' in last ? undefined : last.to
    const banners = shiftBanners(request.banners, -from)
    const piece = planPiece(omitUndefined({ ...request, heads, wanted, banners, startsAt }), stepFrames)
    parts.push(
      ...piece.map((part) => ({
        ...part,
        startFrame: from + part.startFrame,
        endFrame: from + part.endFrame,
      })),
    )
  }
  return parts
}

function planPiece(request: CameraRequest, stepFrames: number): (Leg | Widening)[] {
  const frames = request.wanted.length
  const grid = placeGrid(request, stepFrames)
  return findCheapest(request, grid).map((part) => {
    const startFrame = part.from * stepFrames
    const endFrame = Math.min(frames, part.to * stepFrames)
    if (part.wide !== null) return { startFrame, endFrame, wide: part.wide }
    const at = (place: number): Point => grid.places[place] ?? { x: 0, y: 0 }
    return { startFrame, endFrame, from: at(part.start), to: at(part.end) }
  })
}

/** What is done in some steps; `start` and `end` are indices of the grid's places. */
interface Part {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
  /** What is shown whole meanwhile; null: the view. */
  readonly wide: Rect | null
}

/** The cheapest way to have come somewhere. */
interface Chain {
  readonly cost: number
  readonly before: Chain | null
  readonly part: Part | null
}

const costOf = (chain: Chain | null | undefined): number => chain?.cost ?? Infinity

const cheapest = (chains: Iterable<Chain | null | undefined>): Chain | null => {
  let least: Chain | null = null
  for (const chain of chains) if (chain != null && chain.cost < costOf(least)) least = chain
  return least
}

function findCheapest(request: CameraRequest, grid: Grid): Part[] {
  const { steps, places } = grid
  const rows = (): (Chain | null)[][] => Array.from({ length: steps + 1 }, () => places.map(() => null))
  /** The chains that have come to a place at a step: after a rest of a second, or directly after a move. */
  const rested = rows()
  const moved = rows()
  const { startsAt } = request
  /** A rest is not shorter, so that two looks with the same view have none of less between their moves. */
  const least = Math.min(REST, steps)
  moved[0] = places.map(({ x, y }) =>
    startsAt === undefined || (x === startsAt.x && y === startsAt.y) ? START : { ...START, cost: COSTS.cut },
  )
  /** The cheapest of the rested at each step. */
  const bests: (Chain | null)[] = []
  for (let step = 0; step < steps; step++) {
    const before = rested[step] ?? []
    const best = cheapest(before)
    bests.push(best)
    const limit = Math.min(costOf(best), costOf(cheapest(moved[step] ?? []))) + HOPELESS * request.moveCosts
    const comes = cheapest([cutAt(step), widened(request, grid, bests, step)])
    places.forEach((_, place) => {
      const stays = before[place]
      const came = moved[step]?.[place]
      if (comes !== null) rest(comes, step, step + REST, place)
      if (came != null && came.cost <= limit) rest(came, step, step + least, place)
      if (stays != null && stays.cost <= limit) rest(stays, step, step + 1, place)
      const leaves = cheapest([stays, came])
      if (leaves !== null && leaves.cost <= limit) move(leaves, step, place)
    })
  }
  const last = [rested, moved].flatMap((chains) => chains[steps] ?? [])
  return partsOf(cheapest([...last, widened(request, grid, bests, steps)]))

  /** A cut lets the picture before it and the one after it stand for a second. */
  function cutAt(step: number): Chain | null {
    const from = step < REST || steps - step < REST ? null : bests[step]
    return from == null ? null : { ...from, cost: from.cost + COSTS.cut * request.moveCosts }
  }

  function rest(chain: Chain, from: number, to: number, place: number): void {
    const row = rested[to]
    const cost = chain.cost + grid.restCost(place, from, to)
    if (row === undefined || cost >= costOf(row[place])) return
    row[place] = { cost, before: chain, part: { from, to, start: place, end: place, wide: null } }
  }

  function move(chain: Chain, from: number, start: number): void {
    for (const length of MOVES) {
      const row = moved[from + length]
      const seconds = length * STEP
      if (row === undefined) return
      for (const { place: end, far } of grid.near[start] ?? []) {
        // The steepest change of speed of a smoothstep is at its ends: 6 ways per time squared.
        const steep = (6 * far) / (seconds * seconds) / MAX_ACCELERATION
        if (steep > 1) break
        const most = costOf(row[end])
        const change = chain.cost + COSTS.move * request.moveCosts + COSTS.steep * steep * steep
        const cost = change < most ? change + grid.moveCost(start, end, from, length, most - change) : most
        if (cost >= most) continue
        row[end] = { cost, before: chain, part: { from, to: from + length, start, end, wide: null } }
      }
    }
  }
}

const START: Chain = { cost: 0, before: null, part: null }

/** The cheapest chain that ends at `step` with a widening. */
function widened(
  { view, source, widens }: CameraRequest,
  { steps, boxes }: Grid,
  bests: readonly (Chain | null)[],
  step: number,
): Chain | null {
  if (!widens || (step < steps && steps - step < REST)) return null
  let box: Box | null = null
  let least: Chain | null = null
  for (let from = step - 1; from >= Math.max(0, step - WIDEST); from--) {
    box = includeBox(box, boxes[from] ?? null)
    const whole = from === 0 && step === steps
    if (!whole && (step - from < WIDE || (from > 0 && from < REST))) continue
    const before = from === 0 ? START : bests[from]
    if (before == null || box === null) continue
    const changes = COSTS.widen * (Number(from > 0) + Number(step < steps))
    if (before.cost + changes >= costOf(least)) continue
    const wide = widenTo(box, view, source)
    const ratio = Math.max(wide.width / view.width, wide.height / view.height)
    const perSecond = COSTS.wideSecond + COSTS.doubling * Math.log2(ratio)
    const cost = before.cost + changes + perSecond * (step - from) * STEP
    if (cost >= costOf(least)) continue
    least = { cost, before, part: { from, to: step, start: 0, end: 0, wide } }
  }
  return least
}

/** The part of the source around this, at least as large as the view. */
function widenTo(box: Box, view: Size, source: Size): Rect {
  const along = (from: number, to: number, least: number, all: number): [number, number] => {
    const length = Math.min(all, Math.max(least, to - from + 2 * AIR * least))
    const even = length >= all ? all : Math.ceil(length / 2) * 2
    return [Math.min(Math.max(0, Math.round((from + to - even) / 4) * 2), all - even), even]
  }
  const [x, width] = along(box.left, box.right, view.width, source.width)
  const [y, height] = along(box.top, box.bottom, view.height, source.height)
  return { x, y, width, height }
}

/** The parts of a chain in order; rests at one place are one part. */
function partsOf(chain: Chain | null): Part[] {
  const parts: Part[] = []
  for (let at = chain; at?.part != null; at = at.before) {
    const { part } = at
    const next = parts[0]
    const rests = part.wide === null && part.start === part.end
    if (rests && next?.wide === null && next.start === next.end && next.start === part.start)
      parts[0] = { ...part, to: next.to }
    else parts.unshift(part)
  }
  return parts
}
