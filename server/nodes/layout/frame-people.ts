/** Frames the people of a clip, shot by shot: from face tracks to layout spans. */
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import { legsOf, type LayoutSpan, type Pane, type TimeSpan } from '../../contract/composition.ts'
import { largest, middleOf, sizeAround, whole } from '../compose/layout.ts'
import { arrange } from './arrange.ts'
import { choose, type Choice, type FramingLimits } from './choose.ts'
import { fitted, followHeads, groupsOf, type Followed } from './follow-heads.ts'
import { looksAt } from './speakers.ts'
import { bannersOf, guestsIn, looksAtGuests, panesOfGuests, shiftSpan } from './split-screen.ts'
import { halves, personAndRest, screenAndPerson } from './panes.ts'
import {
  bannersIn,
  joinPeople,
  peopleIn,
  playedShots,
  shiftBanners,
  usualFace,
  type BannerSpan,
  type Person,
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
  /** On the clip's frames. */
  readonly banners: readonly BannerSpan[]
}

/** A face takes at least about this much of the height, where coming closer gets it there. */
const FACE_SHARE = 0.15
const CLOSEST = 1.35
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
    const spans = joined(
      shots.flatMap((shot) => shotSpans(shot, { ...request, moveCosts, banners: [] }, somebody)),
    )
    if (countMoves(spans) <= MAX_MOVES) return spans
  }
}

function shotSpans(shot: Shot, given: Framing, somebody: boolean): LayoutSpan[] {
  const { faces, source, output, limits } = given
  const request = { ...given, banners: shiftBanners(bannersIn(shot, faces, source), shot.startFrame) }
  const { startFrame, endFrame } = shot
  const people = shot.measured ? joinPeople(peopleIn(shot, faces, source), request.framesPerSecond) : []
  const guests = guestsIn(shot, people, faces, source)
  if (guests.length > 1) return frameGuests(shot, guests, request)
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

/** Each guest of a split screen alone while only that guest speaks, and otherwise all of them, as far as the style allows. */
function frameGuests(shot: Shot, guests: ReturnType<typeof guestsIn>, request: Framing): LayoutSpan[] {
  const { output, source, limits, framesPerSecond } = request
  const frames = shot.endFrame - shot.startFrame
  const showAll = limits.forceSplit || limits.maxPeople > 1
  // A style that names a number shows as many as it can; the others come in when they speak.
  const always = showAll && !limits.adaptive && guests.length <= limits.maxPeople
  const looks =
    always || limits.forceSplit
      ? [{ startFrame: 0, endFrame: frames, guest: null }]
      : looksAtGuests(guests, frames, framesPerSecond, showAll && limits.adaptive)
  return looks.flatMap(({ startFrame, endFrame, guest }): LayoutSpan[] => {
    const range = { startFrame: shot.startFrame + startFrame, endFrame: shot.startFrame + endFrame }
    if (guest === null) {
      const banners = shiftBanners(request.banners, -shot.startFrame)
      const panes = panesOfGuests(guests, { startFrame, endFrame }, { ...request, banners })
      if (panes.length === 0) return [fitted(range, whole(source))]
      return [
        {
          kind: 'panes',
          ...range,
          background: 'blur',
          panes: panes.map((pane) => later(pane, shot.startFrame)),
        },
      ]
    }
    const { box, person } = guest
    const own = { ...request, source: box, output, banners: bannersOf(request.banners, box) }
    const followed = groupsOf([person], box).slice(startFrame, endFrame)
    return followClosely(followed, range.startFrame, own).map((span) => shiftSpan(span, box))
  })
}

/** A pane for each, planned anew when somebody stands up, comes or goes; whoever is alone is followed. */
function split(shot: Shot, choice: Extract<Choice, { kind: 'split' }>, request: Framing): LayoutSpan[] {
  const { source, output, limits } = request
  const { people, maxPeople } = choice
  const banners = shiftBanners(request.banners, -shot.startFrame)
  return arrange({ ...request, people, maxPeople, banners }).flatMap((one): LayoutSpan[] => {
    const startFrame = shot.startFrame + one.startFrame
    const endFrame = shot.startFrame + one.endFrame
    const range = { startFrame, endFrame }
    if (one.panes.length > 0) {
      const panes = one.panes.map((pane) => later(pane, shot.startFrame))
      return [{ kind: 'panes', ...range, background: 'blur', panes }]
    }
    const [first] = one.people
    if (first === undefined) return [fitted(range, whole(source))]
    const groups = groupsOf(one.people, source).slice(one.startFrame, one.endFrame)
    const alone = { ...first, faces: first.faces.slice(one.startFrame, one.endFrame) }
    if (one.people.length > 1) return followClosely(groups, startFrame, request)
    if (!limits.forceSplit) return followClosely(groups, startFrame, request)
    return [{ kind: 'panes', ...range, background: 'blur', panes: personAndRest(alone, source, output) }]
  })
}

/** A pane whose frames were counted from the shot's first one. */
function later(pane: Pane, frames: number): Pane {
  if (pane.legs === undefined) return pane
  const legs = pane.legs.map((leg) => ({
    ...leg,
    startFrame: leg.startFrame + frames,
    endFrame: leg.endFrame + frames,
  }))
  return { ...pane, legs }
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

/** How many moves of views there are. */
export function countMoves(spans: readonly LayoutSpan[]): number {
  const views = spans.flatMap((span) =>
    span.kind === 'panes' ? span.panes.flatMap((pane) => legsOf(pane, span)) : [span],
  )
  return views.filter((view) => view.kind === 'crop' && view.cropTo !== undefined).length
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
