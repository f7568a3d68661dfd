/** Whom the camera looks at, and when it cuts to another: never for less than a second. */
import { usualFace, type Person } from './seen.ts'

/** Frames of the shot in which one person is looked at. */
export interface Look {
  readonly startFrame: number
  readonly endFrame: number
  readonly person: Person
}

/** Somebody must go on speaking for this long to be looked at: nobody cuts to a "hm". Seconds. */
const LEAST_SPEECH = 0.7
export const LEAST_LOOK = 1

/** Looks without gap over the whole shot. `people` is not empty; the first one is looked at where nobody speaks. */
export function looksAt(people: readonly Person[], frames: number, framesPerSecond: number): Look[] {
  const least = Math.ceil(LEAST_LOOK * framesPerSecond)
  const speech = Math.max(1, Math.round(LEAST_SPEECH * framesPerSecond))
  const first = speakerFrom(people, 0, Math.min(frames, least)) ?? seenFirst(people)
  if (first === null) return []
  const looks: Look[] = []
  let [person, startFrame] = [first, 0]
  for (let frame = 1; frame < frames; frame++) {
    if (frame - startFrame < least || frames - frame < least) continue
    const next = nextPerson(people, person, frame, Math.min(frames, frame + speech), least)
    if (next === null) continue
    looks.push({ startFrame, endFrame: frame, person })
    person = next
    startFrame = frame
  }
  return [...looks, { startFrame, endFrame: frames, person }]
}

function nextPerson(
  people: readonly Person[],
  now: Person,
  frame: number,
  end: number,
  least: number,
): Person | null {
  if (now.speaks[frame] === true && now.faces[frame] !== null) return null
  const speaker = people.find((person) => person !== now && speaksFrom(person, frame, end))
  if (speaker !== undefined) return speaker
  // Whoever was looked at has left: to somebody who stays.
  const gone = now.faces.slice(frame, frame + least).every((face) => face === null)
  const there = gone
    ? people.find((person) => person.faces.slice(frame, end).every((face) => face !== null))
    : undefined
  return there ?? null
}

function speaksFrom(person: Person, from: number, end: number): boolean {
  for (let frame = from; frame < end; frame++) {
    if (person.speaks[frame] !== true || person.faces[frame] === null) return false
  }
  return end > from
}

function speakerFrom(people: readonly Person[], from: number, end: number): Person | null {
  const spoken = (person: Person): number => person.speaks.slice(from, end).filter(Boolean).length
  const [best] = people.toSorted((a, b) => spoken(b) - spoken(a))
  return best === undefined || spoken(best) === 0 ? null : best
}

function seenFirst(people: readonly Person[]): Person | null {
  return people.find(({ faces }) => faces[0] !== null) ?? people[0] ?? null
}

/** How much of a shot somebody is: seen how long, how large, and speaking. */
export function weightOf(person: Person): number {
  const seen = person.faces.filter((face) => face !== null).length / Math.max(1, person.faces.length)
  const speaks = person.speaks.filter(Boolean).length / Math.max(1, person.speaks.length)
  return seen * usualFace(person.faces).height * (1 + 2 * speaks)
}
