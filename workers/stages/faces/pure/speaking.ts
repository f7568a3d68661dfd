/**
 * Finds who of the visible people speaks, from the motion of their mouths while there is a voice. PURE.
 *
 * The best path through people over time (Viterbi): it follows the mouth that moves most, and every change of person has a
 * cost, so that a smile or a bite is not mistaken for speech.
 */
import type { Track } from './face.ts'

export interface Stretch {
  readonly start: number
  readonly end: number
}

export interface SpeakingInput {
  readonly tracks: readonly Track[]
  readonly times: readonly number[]
  readonly voiced: readonly boolean[]
}

/** Pictures on each side over which motion is averaged, because lips rest between syllables. */
const SMOOTH = 3
/** Less motion is camera noise or a slowly moving still: 0.07 was measured for those, 0.3 for lips. */
const MIN_MOTION = 0.1
const CHANGE_COST = 2.2
/** Gain of a picture in which the speaker is not visible. */
const NOBODY_GAIN = 0
/** Shorter ranges, in seconds, are joined to their neighbours. */
const MIN_SECONDS = 0.35

/** Ranges in which the person of each track speaks; one list per track. */
export function detectActiveSpeakers({ tracks, times, voiced }: SpeakingInput): Stretch[][] {
  const motions = tracks.map((track) => smoothMotion(track, times.length))
  const path = findBestPath(motions, voiced)
  return tracks.map((_, index) => findStretches(path, index, times, voiced))
}

/** Smoothed motion per picture; null where the face is not in the picture. */
function smoothMotion(track: Track, count: number): (number | null)[] {
  return Array.from({ length: count }, (_, picture) => {
    const at = picture - track.firstPicture
    if (at < 0 || at >= track.motion.length) return null
    const near = track.motion.slice(Math.max(0, at - SMOOTH), at + SMOOTH + 1)
    return near.reduce((sum, value) => sum + value, 0) / near.length
  })
}

/** How likely this mouth is the one that speaks, compared to nobody's (0). */
const likelihood = (motion: number): number => Math.max(-2, Math.min(3, Math.log2(motion / MIN_MOTION)))

/** The index of the speaking track for each picture, or -1. */
function findBestPath(motions: readonly (number | null)[][], voiced: readonly boolean[]): number[] {
  const states = motions.length + 1
  let scores = new Array<number>(states).fill(0)
  const cameFrom: number[][] = []
  voiced.forEach((hasVoice, picture) => {
    const best = scores.indexOf(Math.max(...scores))
    const from: number[] = []
    scores = scores.map((score, state) => {
      const changed = (scores[best] ?? 0) - CHANGE_COST
      from.push(score >= changed ? state : best)
      const motion = state === 0 ? null : (motions[state - 1]?.[picture] ?? null)
      const gain = !hasVoice ? 0 : state === 0 ? NOBODY_GAIN : motion === null ? -2 : likelihood(motion)
      return Math.max(score, changed) + gain
    })
    cameFrom.push(from)
  })
  let state = scores.indexOf(Math.max(...scores))
  const path = new Array<number>(voiced.length).fill(-1)
  for (let picture = voiced.length - 1; picture >= 0; picture -= 1) {
    path[picture] = state - 1
    state = cameFrom[picture]?.[state] ?? 0
  }
  return path
}

function findStretches(
  path: readonly number[],
  index: number,
  times: readonly number[],
  voiced: readonly boolean[],
): Stretch[] {
  const stretches: { start: number; end: number }[] = []
  path.forEach((speaker, picture) => {
    if (speaker !== index || voiced[picture] !== true) return
    const time = times[picture] ?? 0
    const next = times[picture + 1] ?? time
    const last = stretches.at(-1)
    // A pause for breath is part of speaking.
    if (last !== undefined && time - last.end < 0.6 && staysBetween(path, index, last.end, time, times))
      last.end = next
    else stretches.push({ start: time, end: next })
  })
  return stretches.filter(({ start, end }) => end - start >= MIN_SECONDS)
}

function staysBetween(
  path: readonly number[],
  index: number,
  from: number,
  to: number,
  times: readonly number[],
): boolean {
  return path.every((speaker, picture) => {
    const time = times[picture] ?? 0
    return time < from || time >= to || speaker === index || speaker === -1
  })
}
