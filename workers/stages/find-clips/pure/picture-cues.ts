/** PURE. What the picture adds to the words: cuts, movement and faces, relative to the rest of the video. */
import type { ClipFeatures, SubScoreName } from '../../../../server/contract/clip-candidate.ts'
import type { PictureFacts } from '../../../../server/contract/source-facts.ts'
import type { Point } from './judge-sentence.ts'
import { medianOf, prefixSums, sumBetween } from './numbers.ts'
import type { Sentence } from './sentences.ts'

type Sums = Readonly<Record<'cuts' | 'moving' | 'faces' | 'seconds', Float64Array>>

export interface PictureCues {
  /** Prefix sums over the sentences (one longer than they are) of seconds, weighted seconds, and cuts. */
  readonly sums: Sums
  readonly cutsPerMinute: number
  /** For a clip that begins with this sentence: whether a face is visible then; null if not analysed. */
  readonly opensOnFace: readonly (boolean | null)[]
  /** Share of the time with a visible face; null if not analysed. */
  readonly usualFaces: number | null
}

/** Maximum points of the picture: a face for the hook, movement and cuts for the emotion. */
export const PICTURE_LIMITS = { face: 6, motion: 12, cuts: 8 } as const

/** Movement above the usual, in the same unit, that gives all points. */
const LIVELY = 0.25
/** Cuts per minute above the usual that give most of the points. */
const QUICK = 10
/** A smaller face, as a share of the picture, is in the background. */
const MIN_FACE = 0.004

export function pictureCuesOf(sentences: readonly Sentence[], facts: PictureFacts): PictureCues {
  const ends = sentences.map((sentence, at) => sentences[at + 1]?.start ?? sentence.end)
  const span = (at: number): readonly [number, number] => [sentences[at]?.start ?? 0, ends[at] ?? 0]
  const seconds = sentences.map((_, at) => Math.max(0, span(at)[1] - span(at)[0]))
  const usual = medianOf(facts.looks.map(([, motion]) => motion))
  const moving = buildIntegral(facts, ([, motion]) => Math.min(1, Math.max(0, (motion - usual) / LIVELY)))
  const searched = facts.looks.some(([, , face]) => face >= 0)
  const seen = buildIntegral(facts, ([, , face]) => (face >= MIN_FACE ? 1 : 0))
  const whole = facts.looks.at(-1)?.[0] ?? 0
  const over = (of: Integral) => sentences.map((_, at) => of(span(at)[1]) - of(span(at)[0]))
  return {
    sums: {
      cuts: prefixSums(sentences.map((_, at) => countIn(facts.cuts, ...span(at)))),
      moving: prefixSums(over(moving)),
      faces: prefixSums(over(seen)),
      seconds: prefixSums(seconds),
    },
    cutsPerMinute: whole > 0 ? (facts.cuts.length / whole) * 60 : 0,
    opensOnFace: sentences.map(({ start }) => (searched ? seen(start + 1) - seen(start) > 0.5 : null)),
    usualFaces: searched && whole > 0 ? seen(whole) / whole : null,
  }
}

/** Points for the emotion of a window of sentences (both inclusive): movement and a quick rhythm. */
export function pictureEmotion(cues: PictureCues, from: number, to: number): number {
  return seenPoints(cues, from, to, 'emotion').reduce((sum, point) => sum + point.points, 0)
}

/** Points for the hook of a clip that begins with this sentence. */
export function pictureHook(cues: PictureCues, from: number): number {
  return seenPoints(cues, from, from, 'hook').reduce((sum, point) => sum + point.points, 0)
}

/** The points of one sub-score with reasons for people. */
export function seenPoints(cues: PictureCues, from: number, to: number, name: SubScoreName): Point[] {
  const { sums, cutsPerMinute, opensOnFace, usualFaces } = cues
  const between = (sum: Float64Array): number => sumBetween(sum, from, to)
  const seconds = Math.max(1e-3, between(sums.seconds))
  const points: Point[] = []
  const add = (value: number, reason: string): void => {
    if (value >= 0.5) points.push({ points: value, reason })
  }
  if (name === 'hook' && opensOnFace[from] === true && usualFaces !== null)
    add(PICTURE_LIMITS.face * (1 - usualFaces), 'Opens on a face')
  if (name === 'emotion') {
    const moving = Math.min(1, (1.5 * between(sums.moving)) / seconds)
    add(PICTURE_LIMITS.motion * moving, 'More moves in the picture than elsewhere')
    const rate = (between(sums.cuts) / seconds) * 60
    const more = 1 - Math.exp(-Math.max(0, rate - cutsPerMinute) / QUICK)
    add(PICTURE_LIMITS.cuts * more, `It cuts ${rate.toFixed(0)} times a minute, more than elsewhere`)
  }
  return points
}

/** The same as numbers. */
export function pictureFeatures({ sums, usualFaces }: PictureCues, from: number, to: number): ClipFeatures {
  const between = (sum: Float64Array): number => sumBetween(sum, from, to)
  const seconds = Math.max(1e-3, between(sums.seconds))
  return {
    cuts: (between(sums.cuts) / seconds) * 60,
    motion: between(sums.moving) / seconds,
    ...(usualFaces === null ? {} : { faces: between(sums.faces) / seconds }),
  }
}

/** The sum from the source's start to a second. */
type Integral = (second: number) => number

/** Integrates a value that was measured at each look and stands for the time since the previous one. */
function buildIntegral(
  { looks }: PictureFacts,
  of: (look: PictureFacts['looks'][number]) => number,
): Integral {
  const times = looks.map(([time]) => time)
  const values = looks.map(of)
  const sums = new Float64Array(looks.length)
  for (let at = 1; at < looks.length; at += 1)
    sums[at] = (sums[at - 1] ?? 0) + (values[at] ?? 0) * ((times[at] ?? 0) - (times[at - 1] ?? 0))
  return (second) => {
    const next = findFirstAfter(times, second)
    if (next === 0) return 0
    // After the last look the picture continues unchanged.
    return (
      (sums[next - 1] ?? 0) +
      (values[Math.min(next, values.length - 1)] ?? 0) * (second - (times[next - 1] ?? 0))
    )
  }
}

/** Index of the first greater value; the list's length when there is none. The list is sorted. */
function findFirstAfter(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) > value) high = middle
    else low = middle + 1
  }
  return low
}

function countIn(sorted: readonly number[], from: number, to: number): number {
  return findFirstAfter(sorted, to) - findFirstAfter(sorted, from)
}
