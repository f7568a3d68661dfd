/** Who of the visible people speaks, from how lips fit the sound and from whose voice it is. PURE. */
import type { RangeSpeakers } from '../../../../server/contract/clip-measurements.ts'
import { associateVoices, type Fit } from './association.ts'
import { findBestPath, findPosteriors } from './best-path.ts'
import { RATE } from './crops.ts'
import type { Stretch, Turn } from './windows.ts'

/** The scores of one face in consecutive pictures. */
export interface Piece {
  /** The first of them, counted from the start of the range. */
  readonly first: number
  /** The model's, above 0: speaks. */
  readonly raw: Float32Array
  /** The same, less the mean of the scores with other sounds. */
  readonly adjusted: Float32Array
}

export interface RangeScores extends Stretch {
  readonly tracks: readonly { readonly id: number; readonly pieces: readonly Piece[] }[]
}

const STEPS_PER_SECOND = 10
const STEPS_PER_SAMPLE = 2
/** Pictures on each side over which scores are averaged. */
const SMOOTH = 12
/** What a face says per step (logarithms of odds): its lips move, ... */
const MOVES = 0.25
/** ... they fit the sound better than those of the other moving faces, by a point; only differences between faces tell ... */
const FIT_WEIGHT = 0.35
/** ... or they are still: by each point that the model's score is below that of moving lips. */
const STILL_WEIGHT = 0.5
const MOVING = -0.5
/** One step says no more than this. */
const MOST_PER_STEP = 0.8
/** A face that was not looked at is not in the picture then. */
const UNSEEN = -0.8
/** What a voice's face says per step, of its logarithm of odds: all of it within a second. */
const VOICE_WEIGHT = 0.2
const SUREST = 0.98
const CHANGE_COST = 2.5
const LEAST_STEPS = 10
const CHANGE_PROBABILITY = 0.02
/** The share of its gains by which a probability is computed, because neighbouring steps say the same. */
const TRUST = 0.4
/** Where no voice was found: the voice activity model misses that much. */
const SILENT_CONFIDENCE = 0.97
/** Words begin and end more softly than the voice activity model notices, seconds. */
const SOFT_EDGE = 0.2
/** A pause for breath is part of speaking, seconds. */
const BREATH = 0.4
/** Shorter stretches of speaking are not reported, seconds. */
const SHORTEST = 0.3

const roundTo = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

/** Who speaks in each range. Voices are joined with faces over all ranges. `turns`: empty where voices are not known. */
export function findSpeakers(
  ranges: readonly RangeScores[],
  voice: readonly Stretch[],
  turns: readonly Turn[],
): RangeSpeakers[] {
  const stepped = ranges.map((range) => stepRange(range, voice, turns))
  const shares = joinVoices(stepped)
  return stepped.map((range, place) =>
    decide(range, (track, speaker) => shares.get(keyOf(place, track, speaker))),
  )
}

/** A range in steps of a tenth of a second. */
interface SteppedRange extends Stretch {
  readonly steps: number
  readonly voiced: readonly boolean[]
  readonly speakers: readonly (readonly number[])[]
  readonly tracks: readonly { readonly id: number; readonly odds: readonly (number | null)[] }[]
}

function stepRange(range: RangeScores, voice: readonly Stretch[], turns: readonly Turn[]): SteppedRange {
  const { start, end } = range
  const steps = Math.max(1, Math.ceil((end - start) * STEPS_PER_SECOND - 1e-6))
  const times = Array.from({ length: steps }, (_, step) => start + (step + 0.5) / STEPS_PER_SECOND)
  const within = <Item extends Stretch>(items: readonly Item[]): Item[][] => {
    const near = items.filter((item) => item.end > start && item.start < end)
    return times.map((time) => near.filter((item) => item.start <= time && time < item.end))
  }
  const scores = range.tracks.map(({ pieces }) => scoresBySteps(pieces, steps))
  const odds = times.map((_, step) => oddsOf(scores.map((track) => track[step] ?? null)))
  return {
    start,
    end,
    steps,
    voiced: within(voice.map((one) => ({ start: one.start - SOFT_EDGE, end: one.end + SOFT_EDGE }))).map(
      (found) => found.length > 0,
    ),
    speakers: within(turns).map((found) => [...new Set(found.map(({ speaker }) => speaker))]),
    tracks: range.tracks.map(({ id }, track) => ({ id, odds: odds.map((step) => step[track] ?? null) })),
  }
}

/** Means of one face's scores around a step. */
interface StepScore {
  readonly raw: number
  readonly adjusted: number
}

function scoresBySteps(pieces: readonly Piece[], steps: number): (StepScore | null)[] {
  const scores = new Array<StepScore | null>(steps).fill(null)
  for (const { first, raw, adjusted } of pieces) {
    const firstStep = Math.max(0, Math.floor((first / RATE) * STEPS_PER_SECOND))
    const lastStep = Math.min(steps, Math.ceil(((first + raw.length) / RATE) * STEPS_PER_SECOND))
    for (let step = firstStep; step < lastStep; step += 1) {
      const picture = Math.round(((step + 0.5) / STEPS_PER_SECOND) * RATE) - first
      const at = Math.min(raw.length - 1, Math.max(0, picture))
      scores[step] = { raw: meanAround(raw, at), adjusted: meanAround(adjusted, at) }
    }
  }
  return scores
}

/** Logarithm of how much likelier the scores are if a person speaks than if not, for each face of one step. */
function oddsOf(scores: readonly (StepScore | null)[]): (number | null)[] {
  const moving = scores.flatMap((score) => (score !== null && score.raw > MOVING ? score.adjusted : []))
  const usual = moving.reduce((sum, value) => sum + value, 0) / Math.max(1, moving.length)
  return scores.map((score) => {
    if (score === null) return null
    const { raw, adjusted } = score
    const odds =
      raw > MOVING ? MOVES + FIT_WEIGHT * (adjusted - usual) : MOVES + STILL_WEIGHT * (raw - MOVING)
    return Math.max(-MOST_PER_STEP, Math.min(MOST_PER_STEP, odds))
  })
}

function meanAround(values: Float32Array, at: number): number {
  const near = values.subarray(Math.max(0, at - SMOOTH), at + SMOOTH + 1)
  return near.reduce((sum, value) => sum + value, 0) / near.length
}

const keyOf = (range: number, track: number, speaker: number): string => `${range} ${track} ${speaker}`

/** The probability that a voice belongs to a face, by range, track and voice. */
function joinVoices(ranges: readonly SteppedRange[]): Map<string, number> {
  const fits: (Fit & { key: string })[] = []
  const places: { range: number; from: number; to: number }[] = []
  ranges.forEach((range, place) => {
    for (const { id, odds } of range.tracks) {
      const track = places.length
      const from = odds.findIndex((value) => value !== null)
      places.push({ range: place, from, to: odds.findLastIndex((value) => value !== null) })
      const evidence = new Map<number, number>()
      odds.forEach((value, step) => {
        const [speaker, second] = range.speakers[step] ?? []
        // Two voices at once say nothing of either.
        if (value === null || speaker === undefined || second !== undefined || range.voiced[step] !== true)
          return
        evidence.set(speaker, (evidence.get(speaker) ?? 0) + value)
      })
      for (const [voice, sum] of evidence)
        fits.push({ voice, track, evidence: sum, key: keyOf(place, id, voice) })
    }
  })
  const areTogether = (a: number, b: number): boolean => {
    const one = places[a]
    const two = places[b]
    if (one === undefined || two === undefined || one.range !== two.range) return false
    return Math.min(one.to, two.to) > Math.max(one.from, two.from)
  }
  const shares = associateVoices(fits, areTogether)
  return new Map(fits.map(({ key }, at) => [key, shares[at] ?? 0]))
}

type ShareOf = (track: number, speaker: number) => number | undefined

function decide(range: SteppedRange, shareOf: ShareOf): RangeSpeakers {
  const { start, end, steps, voiced, tracks } = range
  const gains = tracks.map((track) =>
    Array.from({ length: steps }, (_, step) => gainAt(range, track, step, shareOf)),
  )
  const path = findBestPath(gains, steps, { cost: CHANGE_COST, least: LEAST_STEPS })
  const trusted = gains.map((track) => track.map((gain) => TRUST * gain))
  const posteriors = findPosteriors(trusted, steps, CHANGE_PROBABILITY)
  const speaking = tracks.map(({ id }, index) => ({
    id,
    speaking: findStretches(range, path, index),
  }))
  const samples = []
  for (let step = 0; step < steps; step += STEPS_PER_SAMPLE) {
    const time = roundTo(start + step / STEPS_PER_SECOND, 3)
    const spoken = speaking.find((track) => track.speaking.some((one) => one.start <= time && time < one.end))
    const state = spoken === undefined ? 0 : speaking.indexOf(spoken) + 1
    const probability = posteriors[step]?.[state] ?? 0
    const confidence = state === 0 && voiced[step] !== true ? SILENT_CONFIDENCE : probability
    samples.push({ time, track: spoken?.id ?? null, confidence: roundTo(confidence, 3) })
  }
  return { start, end, tracks: speaking, samples }
}

/** By how much likelier it is (a logarithm) that this person speaks than nobody who is visible. Nothing in silence. */
function gainAt(
  range: SteppedRange,
  { id, odds }: SteppedRange['tracks'][number],
  step: number,
  shareOf: ShareOf,
): number {
  if (range.voiced[step] !== true) return 0
  const value = odds[step] ?? null
  if (value === null) return UNSEEN
  const shares = (range.speakers[step] ?? []).flatMap((speaker) => shareOf(id, speaker) ?? [])
  if (shares.length === 0) return value
  const share = Math.max(1 - SUREST, Math.min(SUREST, Math.max(...shares)))
  return value + VOICE_WEIGHT * Math.log(share / (1 - share))
}

/** Voiced steps of one state, and short pauses in which the path stays with it. */
function findStretches(
  { start, end, steps, voiced }: SteppedRange,
  path: readonly number[],
  state: number,
): Stretch[] {
  const stretches: { from: number; to: number }[] = []
  for (let step = 0; step < steps; step += 1) {
    if (voiced[step] !== true || path[step] !== state) continue
    const last = stretches.at(-1)
    const isPause = last !== undefined && (step - last.to) / STEPS_PER_SECOND < BREATH
    if (isPause && path.slice(last.to, step).every((one) => one === state)) last.to = step + 1
    else stretches.push({ from: step, to: step + 1 })
  }
  return stretches
    .filter(({ from, to }) => (to - from) / STEPS_PER_SECOND >= SHORTEST)
    .map(({ from, to }) => ({
      start: roundTo(start + from / STEPS_PER_SECOND, 3),
      end: roundTo(Math.min(end, start + to / STEPS_PER_SECOND), 3),
    }))
}
