/**
 * Who of the people in the picture speaks, from how their mouths move while a voice is heard. PURE.
 *
 * A path through the people, picture by picture: it goes where the mouth moves most, and each change of person costs,
 * so that a smile or a bite does not take the word from somebody (Viterbi).
 */
import type { Track } from './types.ts'

export interface Stretch {
  readonly start: number
  readonly end: number
}

export interface SpeakingInput {
  readonly tracks: readonly Track[]
  /** Time of each looked-at picture, seconds. */
  readonly times: readonly number[]
  /** Whether a voice is heard at each of them. */
  readonly voiced: readonly boolean[]
}

/** Pictures on each side over which motion is averaged: lips rest between syllables. */
const SMOOTH = 3
/** Motion below this is the noise of a camera, or a portrait that drifts: 0.07 was measured there, 0.3 on lips. */
const MIN_MOTION = 0.1
const CHANGE_COSTS = 2.2
/** What nobody's mouth moving is worth: the speaker is not in the picture. */
const NOBODY = 0
/** Shorter stretches are joined to what is around them, seconds. */
const MIN_SECONDS = 0.35

/** Stretches in which each track's person speaks, as many lists as there are tracks. */
export function detectActiveSpeakers({ tracks, times, voiced }: SpeakingInput): Stretch[][] {
  const motions = tracks.map((track) => smoothed(track, times.length))
  const path = bestPath(motions, voiced)
  return tracks.map((_, index) => stretchesOf(path, index, times, voiced))
}

/** Smoothed motion at each picture; null where the face is not in the picture. */
function smoothed(track: Track, count: number): (number | null)[] {
  return Array.from({ length: count }, (_, picture) => {
    const at = picture - track.firstPicture
    if (at < 0 || at >= track.motion.length) return null
    const near = track.motion.slice(Math.max(0, at - SMOOTH), at + SMOOTH + 1)
    return near.reduce((sum, value) => sum + value, 0) / near.length
  })
}

/** How likely it is that this mouth is the one that is heard, against nobody's (0). */
const worth = (motion: number): number => Math.max(-2, Math.min(3, Math.log2(motion / MIN_MOTION)))

/** For each picture the index of the speaking track, or -1. */
function bestPath(motions: readonly (number | null)[][], voiced: readonly boolean[]): number[] {
  const states = motions.length + 1
  let scores = new Array<number>(states).fill(0)
  const cameFrom: number[][] = []
  voiced.forEach((heard, picture) => {
    const best = scores.indexOf(Math.max(...scores))
    const from: number[] = []
    scores = scores.map((score, state) => {
      const changed = (scores[best] ?? 0) - CHANGE_COSTS
      from.push(score >= changed ? state : best)
      const motion = state === 0 ? null : (motions[state - 1]?.[picture] ?? null)
      const gain = !heard ? 0 : state === 0 ? NOBODY : motion === null ? -2 : worth(motion)
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

function stretchesOf(
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
    if (last !== undefined && time - last.end < 0.6 && keptBetween(path, index, last.end, time, times))
      last.end = next
    else stretches.push({ start: time, end: next })
  })
  return stretches.filter(({ start, end }) => end - start >= MIN_SECONDS)
}

function keptBetween(
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
