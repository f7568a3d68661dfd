/** Decides whom the camera shows, and when it cuts to another person: never for less than a second. */
import { usualFace, type Person } from './seen.ts'

/** Frames of the shot in which one person is looked at. */
export interface Look {
  readonly startFrame: number
  readonly endFrame: number
  readonly person: Person
}

/** Minimum duration of showing a person, in seconds, except in a shorter shot. */
export const MIN_LOOK = 1
/** Of a cut, in seconds of showing somebody silent while another speaks: nobody is cut to for a "hm". */
const CUT_COSTS = 0.375
/** Of a second of an empty place, relative to one of the wrong person. */
const EMPTY_COSTS = 0.375
/** Less than a frame of anything: where all else is equal, the shot begins with the weightier person. */
const LITTLE = 2 ** -20

/**
 * Looks without gap over the whole shot; `people` is not empty, the weightiest first. The whole shot is known beforehand, so
 * the cuts are chosen together: those with which a speaker is out of sight for the least time. In a silence the camera stays
 * until the next one speaks.
 */
export function looksAt(people: readonly Person[], frames: number, framesPerSecond: number): Look[] {
  const least = Math.min(frames, Math.ceil(MIN_LOOK * framesPerSecond))
  const costs = people.map((person) => costsOf(person, people, frames))
  // Whole frames and eighths: sums are exact, and equal ways are equal.
  const ways = cheapestWays(costs, least, Math.round(CUT_COSTS * framesPerSecond))
  const looks: Look[] = []
  let who = ways.reduce((best, way, at) => (costAt(way, frames) < costAt(ways[best], frames) ? at : best), 0)
  for (let endFrame = frames; endFrame > 0;) {
    const person = people[who]
    const way = ways[who]
    if (person === undefined || way === undefined) return []
    const startFrame = way.begins[endFrame] ?? 0
    looks.unshift({ startFrame, endFrame, person })
    who = way.after[endFrame] ?? 0
    endFrame = startFrame
  }
  return looks
}

/** What it costs to look at this person, frame by frame, in frames of the wrong one. */
function costsOf(person: Person, people: readonly Person[], frames: number): Float64Array {
  const talks = ({ speaks, faces }: Person, frame: number): boolean =>
    speaks[frame] === true && faces[frame] !== null
  return Float64Array.from({ length: frames }, (_, frame) => {
    const wrong = !talks(person, frame) && people.some((other) => talks(other, frame))
    return (wrong ? 1 : 0) + (person.faces[frame] === null ? EMPTY_COSTS : 0)
  })
}

/** The frame at which the last turn begins, and who is shown before it. */
interface Way {
  readonly cost: Float64Array
  /** The frame at which that last look begins, and who is looked at before. */
  readonly begins: Int32Array
  readonly after: Int32Array
}

const costAt = (way: Way | undefined, frame: number): number => way?.cost[frame] ?? Infinity

function cheapestWays(costs: readonly Float64Array[], least: number, cut: number): Way[] {
  const frames = costs[0]?.length ?? 0
  const sums = costs.map(sumsOf)
  const spent = (who: number, from: number, to: number): number =>
    (sums[who]?.[to] ?? 0) - (sums[who]?.[from] ?? 0)
  const ways = costs.map((_, who): Way => {
    const cost = new Float64Array(frames + 1).fill(Infinity)
    cost[least] = spent(who, 0, least) + LITTLE * who
    return { cost, begins: new Int32Array(frames + 1), after: new Int32Array(frames + 1) }
  })
  for (let frame = least + 1; frame <= frames; frame++) {
    const begin = frame - least
    ways.forEach((way, who) => {
      const stays = costAt(way, frame - 1) + spent(who, frame - 1, frame)
      const from = cheapestOther(ways, who, begin)
      const comes = costAt(ways[from], begin) + cut + spent(who, begin, frame)
      // Of two equal ways the one that cuts later.
      const cuts = from !== who && comes <= stays
      way.cost[frame] = cuts ? comes : stays
      way.begins[frame] = cuts ? begin : (way.begins[frame - 1] ?? 0)
      way.after[frame] = cuts ? from : (way.after[frame - 1] ?? 0)
    })
  }
  return ways
}

/** `who` where there is nobody else. */
function cheapestOther(ways: readonly Way[], who: number, frame: number): number {
  let best = who
  ways.forEach((way, other) => {
    if (other !== who && (best === who || costAt(way, frame) < costAt(ways[best], frame))) best = other
  })
  return best
}

/** Of all values before each place. */
function sumsOf(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1)
  values.forEach((value, at) => {
    sums[at + 1] = (sums[at] ?? 0) + value
  })
  return sums
}

/** How much of a shot somebody is: seen how long, how large, and speaking. */
export function weightOf(person: Person): number {
  const seen = person.faces.filter((face) => face !== null).length / Math.max(1, person.faces.length)
  const speaks = person.speaks.filter(Boolean).length / Math.max(1, person.speaks.length)
  return seen * usualFace(person.faces).height * (1 + 2 * speaks)
}
