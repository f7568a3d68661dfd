/** A source that is a split screen itself: whoever speaks fills the output from a picture of their own, otherwise all are seen. */
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import { type CropSpan, type LayoutSpan, type Pane, type Rect } from '../../contract/composition.ts'
import type { ArrangeRequest } from './arrange.ts'
import { largest, sizeAround } from '../compose/layout.ts'
import { holdingView, paneRects } from './panes.ts'
import { followInPane } from './pane-paths.ts'
import {
  headOf,
  includeBox,
  usualFace,
  type BannerSpan,
  type Box,
  type Face,
  type Person,
  type Shot,
  type Size,
} from './seen.ts'
import { looksAt } from './speakers.ts'

/** One picture of a split screen, and whoever is in it; places are of that picture. */
interface Guest {
  /** Display pixels of the source, even ones. */
  readonly box: Rect
  readonly person: Person
}

type GuestFraming = Pick<ArrangeRequest, 'output' | 'framesPerSecond' | 'moveCosts' | 'banners'>

/** A shot shows a split screen when so much of it does. */
const SPLIT_SHARE = 0.5
/** In a pause, or while several speak, all are shown when it lasts so long, seconds. */
const MIN_TOGETHER = 1.5
const MOST_GUESTS = 4
/** A face takes about this much of its pane's height, at most so much closer than usual. */
const FACE_SHARE = 0.28
const CLOSEST = 2
/** A pane at rest may be so much wider than usual before it moves instead. */
const WIDER = 1.5

/** The guests of a shot, in reading order; fewer than two: it is no split screen. */
export function guestsIn(
  shot: Shot,
  people: readonly Person[],
  { splits = [] }: ClipFaces,
  source: Size,
): Guest[] {
  const split = splits.find(({ start, end }) => {
    const frames = shot.seconds.filter((second) => start <= second && second < end).length
    return frames >= SPLIT_SHARE * shot.seconds.length
  })
  return (split?.boxes ?? []).flatMap((shares): Guest[] => {
    const box = evenRect(shares, source)
    const inside = people.filter(({ faces }) => {
      const { x, y } = usualFace(faces)
      return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height
    })
    const person = onePerson(inside, box)
    return person === null ? [] : [{ box, person }]
  })
}

function evenRect([x, y, width, height]: readonly [number, number, number, number], source: Size): Rect {
  const along = (at: number, length: number, all: number): [number, number] => {
    const from = Math.ceil((at * all) / 2) * 2
    return [from, Math.floor(((at + length) * all - from) / 2) * 2]
  }
  const [left, wide] = along(x, width, source.width)
  const [top, high] = along(y, height, source.height)
  return { x: left, y: top, width: wide, height: high }
}

/** Everybody in one picture as if they were one; null: nobody. */
function onePerson(people: readonly Person[], box: Rect): Person | null {
  const [first] = people
  if (first === undefined) return null
  const moved = (face: Face | null | undefined): Face | null =>
    face == null ? null : { ...face, x: face.x - box.x, y: face.y - box.y }
  return {
    id: first.id,
    faces: first.faces.map((_, frame) =>
      moved(people.find(({ faces }) => faces[frame] !== null)?.faces[frame]),
    ),
    speaks: first.speaks.map((_, frame) => people.some(({ speaks }) => speaks[frame] === true)),
  }
}

/** Who fills the output in which frames of the shot; null: all are seen. */
interface GuestLook {
  readonly startFrame: number
  readonly endFrame: number
  readonly guest: Guest | null
}

/** Looks without gap; `showAll`: whether all may be seen at once. */
export function looksAtGuests(
  guests: readonly Guest[],
  frames: number,
  framesPerSecond: number,
  showAll: boolean,
): GuestLook[] {
  const together = togetherOf(guests, frames, framesPerSecond)
  // Somebody who looks away is in their picture all the same. Whoever speaks with others is not shown alone for it.
  const people = guests.map(({ person }) => ({
    ...person,
    faces: together.faces,
    speaks: person.speaks.map((speaks, frame) => speaks && !(showAll && together.speaks[frame] === true)),
  }))
  return looksAt(showAll ? [together, ...people] : people, frames, framesPerSecond).map(
    ({ startFrame, endFrame, person }) => ({
      startFrame,
      endFrame,
      guest: guests[people.findIndex((one) => one === person)] ?? null,
    }),
  )
}

/** Stands for all of them: somebody who speaks when none of them does for a while, or several do. */
function togetherOf(guests: readonly Guest[], frames: number, framesPerSecond: number): Person {
  const speaks = Array.from(
    { length: frames },
    (_, frame) => guests.filter(({ person }) => person.speaks[frame] === true).length !== 1,
  )
  for (let from = 0; from < frames;) {
    let to = from
    while (to < frames && speaks[to] === true) to += 1
    if (to - from < MIN_TOGETHER * framesPerSecond) speaks.fill(false, from, to)
    from = Math.max(to, from + 1)
  }
  const some = usualFace(guests[0]?.person.faces ?? [])
  return { id: -1, faces: Array.from({ length: frames }, () => some), speaks }
}

/** All guests in panes of their own; empty: there are too many. Frames counted from the shot's first one. */
export function panesOfGuests(
  guests: readonly Guest[],
  range: { readonly startFrame: number; readonly endFrame: number },
  framing: GuestFraming,
): Pane[] {
  if (guests.length > MOST_GUESTS) return []
  const rects = paneRects(guests.length, framing.output)
  return guests.flatMap(({ box, person }, at): Pane[] => {
    const rect = rects[at]
    if (rect === undefined) return []
    const shape = rect.width / rect.height
    const faces = person.faces.slice(range.startFrame, range.endFrame)
    const face = usualFace(faces.some((one) => one !== null) ? faces : person.faces)
    const heads = faces.reduce<Box | null>(
      (all, one) => includeBox(all, one === null ? null : headOf(one, box)),
      null,
    )
    const usual = sizeAround(face, box, shape, FACE_SHARE, CLOSEST).width
    const rest = holdingView({ usual, box: heads ?? headOf(face, box), shape, source: box, face })
    const rests = { crop: rest.crop, rect }
    const banners = bannersOf(framing.banners, box)
    const pane =
      rest.holds && rest.width <= WIDER * usual
        ? rests
        : (followInPane(person, { width: Math.min(usual, largest(box, shape).width), shape }, rect, range, {
            ...framing,
            banners,
            source: box,
          }) ?? rests)
    return [shiftPane(pane, box)]
  })
}

/** As they are in one picture. */
export const bannersOf = (banners: readonly BannerSpan[], { x, y }: Rect): BannerSpan[] =>
  banners.map((one) => ({
    ...one,
    box: {
      left: one.box.left - x,
      top: one.box.top - y,
      right: one.box.right - x,
      bottom: one.box.bottom - y,
    },
  }))

const shiftRect = (rect: Rect, { x, y }: Rect): Rect => ({ ...rect, x: rect.x + x, y: rect.y + y })

function shiftLeg<Leg extends Pick<CropSpan, 'crop' | 'cropTo'>>(leg: Leg, box: Rect): Leg {
  const moved = leg.cropTo === undefined ? {} : { cropTo: shiftRect(leg.cropTo, box) }
  return { ...leg, crop: shiftRect(leg.crop, box), ...moved }
}

function shiftPane(pane: Pane, box: Rect): Pane {
  const legs = pane.legs === undefined ? {} : { legs: pane.legs.map((leg) => shiftLeg(leg, box)) }
  return { ...pane, crop: shiftRect(pane.crop, box), ...legs }
}

/** What was planned for one picture alone, in the place of that picture in the source. */
export function shiftSpan(span: LayoutSpan, box: Rect): LayoutSpan {
  if (span.kind === 'panes') return { ...span, panes: span.panes.map((pane) => shiftPane(pane, box)) }
  return span.kind === 'crop' ? shiftLeg(span, box) : { ...span, crop: shiftRect(span.crop, box) }
}
