/** What a shot is shown as: one person, several in panes, a screen with its speaker, or the whole picture. */
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import type { Rect } from '../../contract/composition.ts'
import { canFitPerson } from './panes.ts'
import { weightOf } from './speakers.ts'
import { median, usualFace, type Face, type Person, type Shot, type Size, type Point } from './seen.ts'
import { largest } from '../compose/layout.ts'

export interface FramingLimits {
  /** People that are shown at once, at most. */
  readonly maxPeople: 1 | 2 | 3 | 4
  /** Chooses by what is seen: also fewer than `most`, where one view holds them or only one of them speaks. */
  readonly adaptive: boolean
  readonly forceSplit: boolean
  readonly ignoreScreens: boolean
}

export type Choice =
  | { readonly kind: 'middle' | 'fit' }
  | { readonly kind: 'halves' }
  /** Follows the active speaker by cuts. */
  | { readonly kind: 'follow'; readonly people: readonly Person[] }
  | { readonly kind: 'together'; readonly people: readonly Person[] }
  /** As many at once as `maxPeople`; the others come in when somebody leaves. */
  | { readonly kind: 'split'; readonly people: readonly Person[]; readonly maxPeople: number }
  | { readonly kind: 'rest'; readonly person: Person }
  | {
      readonly kind: 'screen'
      readonly inset: Rect
      readonly face: Point | null
    }

export interface ChoiceInput {
  readonly shot: Shot
  readonly people: readonly Person[]
  readonly faces: ClipFaces
  readonly source: Size
  readonly output: Size
  readonly limits: FramingLimits
  /** Whether anybody is seen in the clip at all. */
  readonly somebody: boolean
}

/** Somebody seen for a smaller share of the shot, and for less than so many seconds, is passing through. */
const MIN_SEEN = 0.35
const MIN_SEEN_SECONDS = 1.5
/** Faces smaller than this share of the largest one are bystanders. */
const MIN_SIZE = 0.35
/** A person with this share of all speech is the only speaker. */
const ONE_VOICE = 0.9
const MAX_PANES = 4
/** Share of the frames in which something must be so. */
const MOSTLY = 0.9
/** A shot shows a screen when that share of it does. */
const SCREEN_SHARE = 0.5

/** A shot this short without faces does not change the layout. */
const FLASH_SECONDS = 1

/** The same input gives the same choice. */
export function choose(input: ChoiceInput): Choice {
  const { shot, source, output, limits } = input
  const people = principals(input.people, (shot.seconds.at(-1) ?? 0) - (shot.seconds[0] ?? 0))
  const screen = limits.ignoreScreens ? null : screenIn(input)
  if (screen !== null) return screenChoice(screen.inset, input)
  const [first] = people
  if (first === undefined) {
    if (limits.forceSplit) return { kind: 'halves' }
    const lasts = (shot.seconds.at(-1) ?? 0) - (shot.seconds[0] ?? 0) >= FLASH_SECONDS
    return { kind: shot.measured && input.somebody && lasts ? 'fit' : 'middle' }
  }
  if (limits.forceSplit && people.length === 1) return { kind: 'rest', person: first }
  const maxPeople = limits.forceSplit ? Math.max(2, limits.maxPeople) : limits.maxPeople
  if (maxPeople === 1 || people.length === 1) return { kind: 'follow', people }
  if (limits.adaptive && !limits.forceSplit) {
    if (fitTogether(people, source, output)) return { kind: 'together', people }
    const isCrowd = atOnce(people) > MAX_PANES
    if (!isCrowd && oneSpeaks(people)) return { kind: 'follow', people }
    if (isCrowd) return { kind: 'fit' }
  }
  return { kind: 'split', people, maxPeople }
}

/** The main people, the most important first; stable order. */
function principals(people: readonly Person[], seconds: number): Person[] {
  const size = (person: Person): number => usualFace(person.faces).height
  const tallest = Math.max(0, ...people.map(size))
  const seen = ({ faces }: Person): number => faces.filter((face) => face !== null).length / faces.length
  const least = Math.min(MIN_SEEN, MIN_SEEN_SECONDS / Math.max(0.1, seconds))
  const principal = people.filter((person) => seen(person) >= least && size(person) >= MIN_SIZE * tallest)
  // If everybody is only passing through, somebody is still chosen.
  return (principal.length === 0 ? people : principal).toSorted(
    (a, b) => weightOf(b) - weightOf(a) || a.id - b.id,
  )
}

/** Who is there, frame by frame: those frames in which somebody is. */
function facesByFrame(people: readonly Person[]): Face[][] {
  const frames = (people[0]?.faces ?? []).map((_, frame) => people.flatMap(({ faces }) => faces[frame] ?? []))
  return frames.filter((faces) => faces.length > 0)
}

/** How many people are there at the same time, except for moments. */
function atOnce(people: readonly Person[]): number {
  const counts = facesByFrame(people).map((faces) => faces.length)
  return counts.toSorted((a, b) => a - b)[Math.floor(counts.length * MOSTLY)] ?? 0
}

/** Whether all who are there are mostly within one view. */
function fitTogether(people: readonly Person[], source: Size, output: Size): boolean {
  const { width } = largest(source, output.width / output.height)
  const frames = facesByFrame(people)
  const fit = frames.filter((faces) => {
    const left = Math.min(...faces.map((face) => face.x - face.width))
    const right = Math.max(...faces.map((face) => face.x + face.width))
    return right - left <= width
  })
  return fit.length >= MOSTLY * frames.length
}

function oneSpeaks(people: readonly Person[]): boolean {
  const spoken = people.map(({ speaks }) => speaks.filter(Boolean).length)
  const all = spoken.reduce((sum, frames) => sum + frames, 0)
  return all > 0 && Math.max(...spoken) >= ONE_VOICE * all
}

function screenIn({ shot, faces, source }: ChoiceInput): { inset: Rect | null } | null {
  const shown = faces.screens.find(({ start, end }) => {
    const frames = shot.seconds.filter((second) => start <= second && second < end).length
    return frames >= SCREEN_SHARE * shot.seconds.length
  })
  if (shown === undefined) return null
  if (shown.inset === null) return { inset: null }
  const [x, y, width, height] = shown.inset
  return {
    inset: {
      x: x * source.width,
      y: y * source.height,
      width: width * source.width,
      height: height * source.height,
    },
  }
}

/** A screen must not be cropped: without a presenter next to it, or space for one, it is shown whole. */
function screenChoice(inset: Rect | null, { faces, source, output }: ChoiceInput): Choice {
  if (inset === null || inset.width < 16 || inset.height < 16 || !canFitPerson(source, output)) {
    return { kind: 'fit' }
  }
  return { kind: 'screen', inset, face: faceInside(inset, faces, source) }
}

/** The usual middle of the face in an inset, over all shots: cuts of what is on the screen do not move the speaker's view. */
function faceInside(inset: Rect, { tracks }: ClipFaces, source: Size): Point | null {
  const middles = tracks
    .flatMap(({ points }) => points)
    .map(([, x, y, width, height]) => ({
      x: (x + width / 2) * source.width,
      y: (y + height / 2) * source.height,
    }))
    .filter(
      ({ x, y }) => x >= inset.x && x <= inset.x + inset.width && y >= inset.y && y <= inset.y + inset.height,
    )
  if (middles.length === 0) return null
  return { x: median(middles.map(({ x }) => x)), y: median(middles.map(({ y }) => y)) }
}
