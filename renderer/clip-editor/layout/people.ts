/** The people in a stretch of a clip, and stretches with the same scene. Shares of the source picture. PURE. */
import type { ClipFaces, FaceTrack } from '../../../server/contract/clip-measurements.ts'
import type { Rect } from '../../../server/contract/composition.ts'
import { faceAt } from '../../../server/nodes/index.ts'
import type { Stretch } from './stretches.ts'

export interface SeenPerson {
  /** Of the track. */
  readonly id: number
  /** `A` for the leftmost one. */
  readonly name: string
  /** The usual place. */
  readonly face: Rect
  /** A source second at which the face is there. */
  readonly second: number
}

type Range = Pick<Stretch, 'start' | 'end'>

/** Moments at which a track is looked at. */
const LOOKS = 15

/** From left to right; those who are seen for a moment only are left out where somebody stays. */
export function peopleOf(faces: ClipFaces | null, range: Range): SeenPerson[] {
  const seen = (faces?.tracks ?? []).flatMap((track) => usualPlace(track, range) ?? [])
  const longest = Math.max(0, ...seen.map(({ looks }) => looks))
  return seen
    .filter(({ looks }) => looks >= longest * 0.2)
    .toSorted((a, b) => a.face.x - b.face.x)
    .map(({ id, face, second }, index) => ({ id, face, second, name: letter(index) }))
}

const letter = (index: number): string => String.fromCodePoint(65 + (index % 26))

function usualPlace(track: FaceTrack, { start, end }: Range) {
  const looks = Array.from({ length: LOOKS }, (_, at) => start + ((at + 0.5) / LOOKS) * (end - start))
  const first = track.points[0]?.[0] ?? Infinity
  const last = track.points.at(-1)?.[0] ?? -Infinity
  // A track that ends before the shot begins is not in it.
  if (first >= end || last < start || (last === start && first < start)) return null
  const found = looks.flatMap((second) => {
    if (second < first - 0.3 || second > last + 0.3) return []
    const face = faceAt(track, second, 0.3)
    return face === null ? [] : [{ face, second }]
  })
  const middle = found.toSorted((a, b) => a.face.x - b.face.x)[found.length >> 1]
  return middle === undefined ? null : { id: track.id, ...middle, looks: found.length }
}

/** Faces further apart than this are not of the same place. */
const NEAR = 0.1
const AS_LARGE = 1.5

function alike(a: Rect, b: Rect): boolean {
  const larger = Math.max(a.height, b.height) / Math.max(1e-6, Math.min(a.height, b.height))
  const apart = Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2)
  return apart < NEAR && larger < AS_LARGE
}

/** The person in the same place as `person`; undefined: nobody. */
export function sameSeat(person: SeenPerson, people: readonly SeenPerson[]): SeenPerson | undefined {
  return people.find(({ face }) => alike(face, person.face))
}

/** Whether two stretches show as many people in the same places. */
export function sameScene(here: readonly SeenPerson[], there: readonly SeenPerson[]): boolean {
  return here.length === there.length && here.every((person) => sameSeat(person, there) !== undefined)
}

export interface FaceNow {
  readonly id: number
  readonly name: string
  readonly box: Rect
  readonly speaks: boolean
}

/** The faces that are seen at a moment of a stretch. */
export function facesNow(faces: ClipFaces | null, people: readonly SeenPerson[], second: number): FaceNow[] {
  return people.flatMap(({ id, name }) => {
    const track = faces?.tracks.find((one) => one.id === id)
    const box = track === undefined ? null : faceAt(track, second, 0.3)
    if (track === undefined || box === null) return []
    const speaks = track.speaking.some(({ start, end }) => start <= second && second < end)
    return [{ id, name, box, speaks }]
  })
}
