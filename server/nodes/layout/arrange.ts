/**
 * Arranges several people in panes over a whole shot at once: when the panes are planned anew, who is in them, and what each
 * shows. Between two arrangements a pane rests, as wide as holds its person whole, or it moves with that person, whichever is
 * less. The cheapest division into arrangements (dynamic programme): a cut head costs most, then an empty pane, a change, a
 * move, and a wide view.
 */
import type { Pane } from '../../contract/composition.ts'
import { holdingView, paneRects, usualWidth } from './panes.ts'
import { followInPane, pathsOf, type PanePath } from './pane-paths.ts'
import {
  headOf,
  includeBox,
  usualFace,
  type BannerSpan,
  type Box,
  type Face,
  type Person,
  type Size,
} from './seen.ts'

/** Frames of the shot, and who is shown in them; `panes` is empty where one view or the whole picture does better. */
export interface Arrangement {
  readonly startFrame: number
  readonly endFrame: number
  readonly people: readonly Person[]
  readonly panes: readonly Pane[]
}

export interface ArrangeRequest {
  /** The weightiest first. */
  readonly people: readonly Person[]
  readonly maxPeople: number
  readonly source: Size
  readonly output: Size
  readonly framesPerSecond: number
  /** How much dearer moves are than usual, 1 or more. */
  readonly moveCosts: number
  /** Frames counted from the shot's first one, as everywhere here. */
  readonly banners: readonly BannerSpan[]
}

/** Seconds of a step of the plan, and steps of a shot at most. */
const STEP = 0.2
const MAX_STEPS = 900
/** An arrangement stands for so long, seconds. */
const MIN_SECONDS = 1.4
/** Per change and per move; per second: of a head that cannot be held, an empty pane, somebody without one, a doubled width squared. */
const COSTS = { change: 8, move: 0.8, cutHead: 60, empty: 3, missing: 24, wide: 9 } as const
/** A pane goes on into the next arrangement where it is hardly another one: so much of its size and place, in widths. */
const SAME_VIEW = 0.12

/** Arrangements without gap over the whole shot. */
export function arrange(request: ArrangeRequest): Arrangement[] {
  const { people, framesPerSecond } = request
  const frames = people[0]?.faces.length ?? 0
  const stepFrames = Math.ceil(Math.max(STEP * framesPerSecond, frames / MAX_STEPS))
  const steps = Math.ceil(frames / stepFrames)
  const least = Math.min(steps, Math.ceil((MIN_SECONDS * framesPerSecond) / stepFrames))
  const tracks = people.map((person) => stepsOf(person, stepFrames, request))
  const ends = divide(steps, least, (from) => costsFrom(from, tracks, request, stepFrames / framesPerSecond))
  const made: Arrangement[] = []
  ends.forEach((to, at) => {
    const from = ends[at - 1] ?? 0
    const held = tracks.map((track) => heldUntil(track, from, to))
    const shown = shownOf(held, to - from, request.maxPeople)
    const startFrame = from * stepFrames
    const endFrame = Math.min(frames, to * stepFrames)
    const span = { from, to, seconds: stepFrames / framesPerSecond }
    const panes = shown.length < 2 ? [] : panesOf(shown, made.at(-1), span, { startFrame, endFrame }, request)
    made.push({ startFrame, endFrame, people: shown.map(({ track }) => track.person), panes })
  })
  return made
}

/** One person by steps. */
interface Track {
  readonly person: Person
  /** All of the head in each step; null: not there. */
  readonly boxes: readonly (Box | null)[]
  /** The width of the view, by the number of panes. */
  readonly usual: readonly number[]
  /** How a view can follow, by the number of panes; planned where it is needed first. */
  readonly paths: readonly (() => readonly PanePath[])[]
}

/** One person over some steps: all of the head, and in how many steps it is there. */
interface Held {
  readonly track: Track
  box: Box | null
  steps: number
}

function stepsOf(person: Person, stepFrames: number, request: ArrangeRequest): Track {
  const { people, source, output } = request
  const steps = Math.ceil(person.faces.length / stepFrames)
  const face = usualFace(person.faces)
  const others = people.filter((other) => other !== person).map(({ faces }) => usualFace(faces))
  const usual = people.map((_, at) => usualWidth(face, others, shapeOf(at + 1, output), source))
  return {
    person,
    boxes: Array.from({ length: steps }, (_, step) =>
      person.faces
        .slice(step * stepFrames, (step + 1) * stepFrames)
        .reduce<Box | null>((box, one) => includeBox(box, one === null ? null : headOf(one, source)), null),
    ),
    usual,
    paths: usual.map((width, at) => {
      let paths: readonly PanePath[] | null = null
      const shape = shapeOf(at + 1, output)
      return () => (paths ??= pathsOf(person, { usual: width, shape, stepFrames }, request))
    }),
  }
}

function shapeOf(count: number, output: Size): number {
  const [rect] = paneRects(count, output)
  return rect === undefined ? 1 : rect.width / rect.height
}

function heldUntil(track: Track, from: number, to: number): Held {
  const held: Held = { track, box: null, steps: 0 }
  for (let step = from; step < to; step++) include(held, step)
  return held
}

function include(held: Held, step: number): void {
  const box = held.track.boxes[step] ?? null
  held.box = includeBox(held.box, box)
  held.steps += Number(box !== null)
}

/** Who is there for half of the time at least, the weightiest first. */
function shownOf(held: readonly Held[], steps: number, maxPeople: number): Held[] {
  return held.filter((one) => 2 * one.steps >= steps).slice(0, maxPeople)
}

/** Takes one step after the other into an arrangement that begins at `from`, and answers what it costs until there. */
function costsFrom(from: number, tracks: readonly Track[], request: ArrangeRequest, seconds: number) {
  const held = tracks.map((track): Held => ({ track, box: null, steps: 0 }))
  let steps = 0
  return (): number => {
    for (const one of held) include(one, from + steps)
    steps += 1
    const shown = shownOf(held, steps, request.maxPeople)
    let perStep = 0
    let views = 0
    for (const one of held) {
      if (shown.includes(one)) perStep += COSTS.empty * (1 - one.steps / steps)
      else if (shown.length < request.maxPeople) perStep += (COSTS.missing * one.steps) / steps
      if (shown.length > 1 && shown.includes(one)) {
        const span = { from, to: from + steps, seconds }
        views += viewCost(one, shown.length, span, request).cost
      }
    }
    return perStep * steps * seconds + views
  }
}

/** Steps of the shot, and how many seconds each is. */
interface Steps {
  readonly from: number
  readonly to: number
  readonly seconds: number
}

function restCost(
  { box, track }: Held,
  count: number,
  { from, to, seconds }: Steps,
  request: ArrangeRequest,
) {
  if (box === null) return 0
  const { source, output } = request
  const shape = shapeOf(count, output)
  const usual = track.usual[count - 1] ?? 1
  const view = holdingView({ usual, box, shape, source })
  const wider = Math.log2(view.width / usual)
  return (COSTS.wide * wider * wider + (view.holds ? 0 : COSTS.cutHead)) * (to - from) * seconds
}

/** What one pane costs meanwhile, and the way in which it follows; `path` null: it rests. */
function viewCost(one: Held, count: number, steps: Steps, request: ArrangeRequest) {
  const { from, to, seconds } = steps
  const move = COSTS.move * request.moveCosts
  let best: { path: PanePath | null; cost: number } = {
    path: null,
    cost: restCost(one, count, steps, request),
  }
  if (best.cost <= move) return best
  for (const path of one.track.paths[count - 1]?.() ?? []) {
    const wider = Math.log2(path.factor)
    const cut = (path.cuts[to] ?? 0) - (path.cuts[from] ?? 0)
    const moves = 1 + (path.moves[to] ?? 0) - (path.moves[from] ?? 0)
    const cost = move * moves + (COSTS.cutHead * cut + COSTS.wide * wider * wider * (to - from)) * seconds
    if (cost < best.cost) best = { path, cost }
  }
  return best
}

/** The cheapest division of all steps into parts of at least so many: where each ends. `costsOf(from)` takes step by step. */
function divide(steps: number, least: number, costsOf: (from: number) => () => number): number[] {
  const cost = new Float64Array(steps + 1).fill(Infinity)
  const begins = new Int32Array(steps + 1)
  cost[0] = 0
  for (let from = 0; from < steps; from++) {
    const before = (cost[from] ?? Infinity) + (from === 0 ? 0 : COSTS.change)
    if (before === Infinity) continue
    const grow = costsOf(from)
    for (let to = from + 1; to <= steps; to++) {
      const all = before + grow()
      if (to - from < least || all >= (cost[to] ?? 0)) continue
      cost[to] = all
      begins[to] = from
    }
  }
  const ends: number[] = []
  for (let to = steps; to > 0; to = begins[to] ?? 0) ends.unshift(to)
  return ends
}

/** A pane for each person, from left to right as they are; none where somebody cannot be held whole. */
function panesOf(
  shown: readonly Held[],
  before: Arrangement | undefined,
  steps: Steps,
  range: { readonly startFrame: number; readonly endFrame: number },
  request: ArrangeRequest,
): Pane[] {
  const rects = paneRects(shown.length, request.output)
  const inOrder = shown
    .map((held) => ({
      held,
      face: usualFace(held.track.person.faces.slice(range.startFrame, range.endFrame)),
    }))
    .toSorted((a, b) => a.face.x - b.face.x)
  const panes = inOrder.flatMap(({ held, face }, at): Pane[] => {
    const rect = rects[at]
    if (rect === undefined) return []
    const last = before?.panes.length === shown.length ? before.panes[at] : undefined
    const rest = restingPane(held, face, rect, shown.length, last, request)
    const { path } = viewCost(held, shown.length, steps, request)
    const moving =
      path === null ? null : followInPane(held.track.person, path, rect, { ...range, before: last }, request)
    const pane = moving ?? rest
    return pane === null ? [] : [pane]
  })
  return panes.length === shown.length ? panes : []
}

/** A pane that holds all of somebody without moving; null: there is none. */
function restingPane(
  { box, track }: Held,
  face: Face,
  rect: Pane['rect'],
  count: number,
  last: Pane | undefined,
  { source }: ArrangeRequest,
): Pane | null {
  if (box === null) return null
  const usual = track.usual[count - 1] ?? 1
  const view = holdingView({ usual, box, shape: rect.width / rect.height, source, face })
  if (!view.holds) return null
  const goesOn =
    last !== undefined &&
    last.legs === undefined &&
    isInside(box, last.crop) &&
    areAlike(last.crop, view.crop)
  return { crop: goesOn ? last.crop : view.crop, rect }
}

function isInside({ left, top, right, bottom }: Box, { x, y, width, height }: Pane['crop']): boolean {
  return left >= x && top >= y && right <= x + width && bottom <= y + height
}

function areAlike(a: Pane['crop'], b: Pane['crop']): boolean {
  const off = Math.max(
    Math.abs(a.width - b.width),
    Math.abs(a.x + a.width / 2 - b.x - b.width / 2),
    Math.abs(a.y + a.height / 2 - b.y - b.height / 2),
  )
  return off <= SAME_VIEW * b.width
}
