/** What the scores of faces say of who speaks, in steps of a tenth of a second. PURE. */
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

export const STEPS_PER_SECOND = 10
/** Pictures on each side over which scores are averaged. */
const SMOOTH = 12
/** Logarithm of odds per step of a face whose lips move, ... */
const MOVES = 0.25
/** ... that is lower by each point of the model's score below that of moving lips ... */
const STILL_WEIGHT = 0.5
const MOVING = -0.5
/** ... and higher by each point by which they fit the sound better than those of the other moving faces. */
const FIT_WEIGHT = 0.35
/** Words begin and end more softly than the voice activity model notices, seconds. */
const SOFT_EDGE = 0.2
const TURN_EDGE_STEPS = 4

/** Logarithms of how much likelier the scores of a step are if this person speaks than if not. */
export interface Odds {
  /** Because lips move, or are still. */
  readonly moves: number
  /** Because they fit the sound better or worse than others. */
  readonly fits: number
}

/** A face from the first step to the last in which it was looked at; null: not in between. */
export interface SteppedTrack {
  readonly id: number
  readonly from: number
  readonly odds: readonly (Odds | null)[]
}

export interface SteppedRange extends Stretch {
  readonly steps: number
  readonly voiced: readonly boolean[]
  /** Whose voices there are, where they are known. */
  readonly speakers: readonly (readonly number[])[]
  readonly tracks: readonly SteppedTrack[]
}

export function stepRange(
  range: RangeScores,
  voice: readonly Stretch[],
  turns: readonly Turn[],
): SteppedRange {
  const { start, end } = range
  const steps = Math.max(1, Math.ceil((end - start) * STEPS_PER_SECOND - 1e-6))
  const speakers = listSpeakers(range, steps, turns)
  const voiced = new Array<boolean>(steps).fill(false)
  for (const one of voice)
    for (const step of stepsIn(range, steps, { start: one.start - SOFT_EDGE, end: one.end + SOFT_EDGE }))
      voiced[step] = true
  const scores = range.tracks.map(({ pieces }) => scoresBySteps(pieces, steps))
  const usual = meansOfMoving(scores, steps)
  const tracks = range.tracks.map(({ id }, track) => {
    const { from = 0, scores: own = [] } = scores[track] ?? {}
    return { id, from, odds: own.map((score, at) => oddsOf(score, usual[from + at] ?? 0)) }
  })
  return { start, end, steps, voiced, speakers, tracks }
}

/** The voices of each step; those of a turn reach a little beyond it where there is no other. */
function listSpeakers(range: Stretch, steps: number, turns: readonly Turn[]): number[][] {
  let speakers = Array.from({ length: steps }, (): number[] => [])
  for (const turn of turns)
    for (const step of stepsIn(range, steps, turn))
      if (speakers[step]?.includes(turn.speaker) === false) speakers[step]?.push(turn.speaker)
  for (let reach = 0; reach < TURN_EDGE_STEPS; reach += 1) {
    const before = speakers
    speakers = before.map((own, step) =>
      own.length > 0 ? own : ([before[step - 1], before[step + 1]].find((near) => near?.length === 1) ?? own),
    )
  }
  return speakers
}

/** The steps whose middle is in a stretch. */
function stepsIn(range: Stretch, steps: number, { start, end }: Stretch): number[] {
  const stepOf = (time: number): number => Math.ceil((time - range.start) * STEPS_PER_SECOND - 0.5 - 1e-6)
  const first = Math.max(0, stepOf(start))
  return Array.from({ length: Math.max(0, Math.min(steps, stepOf(end)) - first) }, (_, at) => first + at)
}

/** Means of one face's scores around a step. */
interface StepScore {
  readonly raw: number
  readonly adjusted: number
}

interface StepScores {
  readonly from: number
  readonly scores: readonly (StepScore | null)[]
}

function scoresBySteps(pieces: readonly Piece[], steps: number): StepScores {
  const first = pieces[0]
  const last = pieces.at(-1)
  if (first === undefined || last === undefined) return { from: 0, scores: [] }
  const from = Math.floor((first.first / RATE) * STEPS_PER_SECOND)
  const to = Math.min(steps, Math.ceil(((last.first + last.raw.length) / RATE) * STEPS_PER_SECOND))
  const scores = new Array<StepScore | null>(Math.max(0, to - from)).fill(null)
  for (const piece of pieces) {
    const begin = Math.floor((piece.first / RATE) * STEPS_PER_SECOND)
    const end = Math.min(to, Math.ceil(((piece.first + piece.raw.length) / RATE) * STEPS_PER_SECOND))
    for (let step = begin; step < end; step += 1) {
      const picture = Math.round(((step + 0.5) / STEPS_PER_SECOND) * RATE) - piece.first
      const at = Math.min(piece.raw.length - 1, Math.max(0, picture))
      scores[step - from] = { raw: meanAround(piece.raw, at), adjusted: meanAround(piece.adjusted, at) }
    }
  }
  return { from, scores }
}

function meanAround(values: Float32Array, at: number): number {
  const near = values.subarray(Math.max(0, at - SMOOTH), at + SMOOTH + 1)
  return near.reduce((sum, value) => sum + value, 0) / near.length
}

/** The mean adjusted score of the faces that move their lips in each step. Only differences between faces tell. */
function meansOfMoving(tracks: readonly StepScores[], steps: number): Float64Array {
  const sums = new Float64Array(steps)
  const counts = new Float64Array(steps)
  for (const { from, scores } of tracks)
    scores.forEach((score, at) => {
      if (score === null || score.raw <= MOVING) return
      sums[from + at] = (sums[from + at] ?? 0) + score.adjusted
      counts[from + at] = (counts[from + at] ?? 0) + 1
    })
  return sums.map((sum, step) => sum / Math.max(1, counts[step] ?? 0))
}

function oddsOf(score: StepScore | null, usual: number): Odds | null {
  if (score === null) return null
  const { raw, adjusted } = score
  if (raw <= MOVING) return { moves: MOVES + STILL_WEIGHT * (raw - MOVING), fits: 0 }
  return { moves: MOVES, fits: FIT_WEIGHT * (adjusted - usual) }
}
