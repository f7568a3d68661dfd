/** Who of the visible people speaks, from how lips fit the sound and from whose voice it is. PURE. */
import type { RangeSpeakers } from '../../../../server/contract/clip-measurements.ts'
import { associateVoices, type Fit } from './association.ts'
import { findBestPath, findPosteriors } from './best-path.ts'
import {
  stepRange,
  STEPS_PER_SECOND,
  type Odds,
  type RangeScores,
  type SteppedRange,
  type SteppedTrack,
} from './evidence.ts'
import type { Stretch, Turn } from './windows.ts'

const STEPS_PER_SAMPLE = 2
/** One step says no more than this, a logarithm of odds, ... */
const MOST_PER_STEP = 0.8
/** ... nor one turn of a voice, of which several are added up: that lips move, and that they fit. */
const MOST_MOVES = 1.5
const MOST_FITS = 2
/** The share of a turn's evidence that counts, because the errors of one face are alike in all turns. */
const TURN_WEIGHT = 0.6
/** Turns that contradict each other more than this, 0 to 1, are of two people whose voices were taken for one. */
const LEAST_AGREEMENT = 0.4
/** A face that was not looked at is not in the picture then. */
const UNSEEN = -0.8
/** What it says per step whose voice it is, of its logarithm of odds: all of it within half a second. */
const VOICE_WEIGHT = 0.2
const SUREST = 0.98
const CHANGE_COST = 2.5
const LEAST_STEPS = 10
const CHANGE_PROBABILITY = 0.02
/** The share of its gains by which a probability is computed, because neighbouring steps say the same. */
const TRUST = 0.4
/** Somebody out of the picture may speak while lips move without a sound, which the model does not tell apart. */
const VISIBLE_SHARE = 0.95
/** Where no voice was found: the voice activity model misses that much. */
const SILENT_CONFIDENCE = 0.97
/** A pause for breath is part of speaking, seconds. */
const BREATH = 0.4
/** Shorter stretches of speaking are not reported, seconds. */
const SHORTEST = 0.3
/** Paths are sought from one silence of this many steps to the next, and over at most so many. */
const SILENT_STEPS = 15
const MOST_STEPS = 600

const roundTo = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits
const bound = (value: number, most: number): number => Math.max(-most, Math.min(most, value))
/** As bound, but a greater value stays greater. */
const soften = (value: number, most: number): number => most * Math.tanh(value / most)
const oddsAt = ({ from, odds }: SteppedTrack, step: number): Odds | null => odds[step - from] ?? null

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

const keyOf = (range: number, track: number, speaker: number): string => `${range} ${track} ${speaker}`

/** The probability that a voice belongs to a face, by range, track and voice. */
function joinVoices(ranges: readonly SteppedRange[]): Map<string, number> {
  const fits: (Fit & { key: string })[] = []
  const places: { range: number; from: number; to: number }[] = []
  ranges.forEach((range, place) => {
    const evidence = addUpTurns(range)
    range.tracks.forEach(({ id, from, odds }, index) => {
      for (const [voice, sum] of evidence[index] ?? [])
        fits.push({ voice, track: places.length, evidence: sum, key: keyOf(place, id, voice) })
      places.push({ range: place, from, to: from + odds.length })
    })
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

/** What the turns of one voice say of one face. */
interface TurnSum {
  turns: number
  /** What the faces say on average, and how much more or less this one does. */
  common: number
  own: number
  /** The same without signs. */
  sizes: number
}

/**
 * What each face says of each voice. How a face differs from the others is compared with how it does while other voices
 * speak, because some lips seem to fit any sound; and it counts less where turns contradict each other.
 */
function addUpTurns(range: SteppedRange): Map<number, number>[] {
  const sums = range.tracks.map(() => new Map<number, TurnSum>())
  for (const { voice, from, to } of listTurns(range)) {
    const found = range.tracks.flatMap((track, index) => {
      const evidence = evidenceOf(range, track, from, to)
      return evidence === null ? [] : [{ index, evidence }]
    })
    const mean = found.reduce((sum, { evidence }) => sum + evidence, 0) / found.length
    for (const { index, evidence } of found) {
      const sum = sums[index]?.get(voice) ?? { turns: 0, common: 0, own: 0, sizes: 0 }
      sum.turns += 1
      sum.common += mean
      sum.own += evidence - mean
      sum.sizes += Math.abs(evidence - mean)
      sums[index]?.set(voice, sum)
    }
  }
  return sums.map(
    (voices) => new Map([...voices.keys()].map((voice) => [voice, contrastVoice(voices, voice)])),
  )
}

function contrastVoice(voices: ReadonlyMap<number, TurnSum>, voice: number): number {
  const { turns = 0, common = 0, own = 0, sizes = 0 } = voices.get(voice) ?? {}
  let otherTurns = 0
  let otherOwn = 0
  for (const [other, sum] of voices) {
    if (other === voice) continue
    otherTurns += sum.turns
    otherOwn += sum.own
  }
  const agreement = sizes === 0 ? 1 : Math.min(1, Math.abs(own) / sizes / LEAST_AGREEMENT)
  return common + own * agreement - (turns * otherOwn) / (otherTurns + 0.5)
}

/** Stretches of one voice alone; two at once say nothing of either. */
function listTurns({ speakers }: SteppedRange): { voice: number; from: number; to: number }[] {
  const turns: { voice: number; from: number; to: number }[] = []
  speakers.forEach(([voice, second], step) => {
    if (voice === undefined || second !== undefined) return
    const last = turns.at(-1)
    if (last?.voice === voice && last.to === step) last.to = step + 1
    else turns.push({ voice, from: step, to: step + 1 })
  })
  return turns
}

/** What one face says of one turn; null where it was not looked at. */
function evidenceOf({ voiced }: SteppedRange, track: SteppedTrack, from: number, to: number): number | null {
  let moves = 0
  let fits = 0
  let isSeen = false
  for (
    let step = Math.max(from, track.from);
    step < Math.min(to, track.from + track.odds.length);
    step += 1
  ) {
    const odds = oddsAt(track, step)
    if (odds === null || voiced[step] !== true) continue
    isSeen = true
    moves += odds.moves
    fits += odds.fits
  }
  return isSeen ? TURN_WEIGHT * (soften(moves, MOST_MOVES) + soften(fits, MOST_FITS)) : null
}

type ShareOf = (track: number, speaker: number) => number | undefined

function decide(range: SteppedRange, shareOf: ShareOf): RangeSpeakers {
  const { start, end, steps, voiced, tracks } = range
  const path = new Array<number>(steps).fill(-1)
  const nobody = new Float64Array(steps)
  const somebody = new Float64Array(steps)
  for (const { from, to } of listSections(voiced)) {
    const own = tracks.flatMap((track, index) =>
      track.from < to && track.from + track.odds.length > from ? [{ track, index }] : [],
    )
    const gains = own.map(({ track }) =>
      Array.from({ length: to - from }, (_, at) => gainAt(range, track, from + at, shareOf)),
    )
    const found = findBestPath(gains, to - from, { cost: CHANGE_COST, least: LEAST_STEPS })
    const trusted = gains.map((track) => track.map((gain) => TRUST * gain))
    findPosteriors(trusted, to - from, CHANGE_PROBABILITY).forEach((probabilities, at) => {
      const state = found[at] ?? -1
      path[from + at] = own[state]?.index ?? -1
      nobody[from + at] = probabilities[0] ?? 0
      somebody[from + at] = state === -1 ? 0 : (probabilities[state + 1] ?? 0)
    })
  }
  const speaking = tracks.map(({ id }, index) => ({ id, speaking: findStretches(range, path, index) }))
  const samples = []
  for (let step = 0; step < steps; step += STEPS_PER_SAMPLE) {
    const time = roundTo(start + step / STEPS_PER_SECOND, 3)
    const isSpeaking = speaking[path[step] ?? -1]?.speaking.some((one) => one.start <= time && time < one.end)
    const silent = voiced[step] === true ? (nobody[step] ?? 0) : SILENT_CONFIDENCE
    samples.push(
      isSpeaking === true
        ? {
            time,
            track: speaking[path[step] ?? -1]?.id ?? null,
            confidence: roundTo(VISIBLE_SHARE * (somebody[step] ?? 0), 3),
          }
        : { time, track: null, confidence: roundTo(silent, 3) },
    )
  }
  return { start, end, tracks: speaking, samples }
}

/** Steps from one long silence to the next. */
function listSections(voiced: readonly boolean[]): { from: number; to: number }[] {
  const sections: { from: number; to: number }[] = []
  voiced.forEach((hasVoice, step) => {
    if (!hasVoice) return
    const last = sections.at(-1)
    const goesOn = last !== undefined && step - last.to < SILENT_STEPS && step - last.from < MOST_STEPS
    if (goesOn) last.to = step + 1
    else sections.push({ from: step, to: step + 1 })
  })
  return sections
}

/** By how much likelier it is (a logarithm) that this person speaks than nobody who is visible. Nothing in silence. */
function gainAt(range: SteppedRange, track: SteppedTrack, step: number, shareOf: ShareOf): number {
  if (range.voiced[step] !== true) return 0
  const odds = oddsAt(track, step)
  if (odds === null) return UNSEEN
  const gain = bound(odds.moves + odds.fits, MOST_PER_STEP)
  const shares = (range.speakers[step] ?? []).flatMap((speaker) => shareOf(track.id, speaker) ?? [])
  if (shares.length === 0) return gain
  const share = Math.max(1 - SUREST, Math.min(SUREST, Math.max(...shares)))
  return gain + VOICE_WEIGHT * Math.log(share / (1 - share))
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
