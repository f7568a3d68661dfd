/** PURE. Chooses clips where no words are known: by pauses, loudness, reactions and the picture. Edges lie in pauses. */
import {
  type ClipCandidate,
  type FindClipsSettings,
  type SubScoreName,
  calibrate,
} from '../../../../server/contract/clip-candidate.ts'
import type { PictureFacts } from '../../../../server/contract/source-facts.ts'
import { endAfter, startBefore, type Sentence } from './sentences.ts'
import {
  chooseBest,
  type Span,
  lengthPenalty,
  weighted,
  type SubScores,
  type Window,
} from './score-windows.ts'
import { featuresOf } from './describe.ts'
import { clampScore, roundMs } from './numbers.ts'
import type { Point } from './judge-sentence.ts'
import { pictureCuesOf, pictureEmotion, pictureHook, seenPoints, type PictureCues } from './picture-cues.ts'
import { cuesOf, pointsIn, soundEffect, type DetectedSound, type SoundCues } from './sound-cues.ts'
import { steeringOf, type Steering } from './steering.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'

/** A pause of this many seconds ends a stretch of sound. */
const PAUSE_SECONDS = 0.35
/** Sound without a pause (music, traffic) and long shots are cut after this many seconds. */
const MAX_STRETCH_SECONDS = 12
const MIN_STRETCH_SECONDS = 0.15
/** Seconds of a pause inside a clip that is perceived as a break. */
const BREAK_SECONDS = 1.5
/** Without sound: points for hook and ending of an edge at a cut. */
const AT_CUT = 16

export interface SoundSearch {
  /** Null for a video without sound; it then has a picture. */
  readonly sound: DetectedSound | null
  readonly picture?: PictureFacts
  readonly settings: FindClipsSettings
  readonly durationSeconds: number
  /** Name for the clips: the file's name. */
  readonly name: string
  /** Search only inside these ranges; null: everywhere. */
  readonly within: readonly Span[] | null
  readonly taken: readonly Span[]
}

/** The best windows between pauses, best first, and how many were considered. */
export function findBySound(search: SoundSearch): { candidates: ClipCandidate[]; considered: number } {
  const { settings, sound, picture, taken } = search
  const stretches =
    sound === null
      ? pictureStretches(picture ?? { cuts: [], looks: [] }, search.durationSeconds)
      : findSoundStretches(sound, search.durationSeconds)
  const cues = cuesOf(stretches, sound ?? SILENCE)
  const steering = steeringOf(settings)
  const scene: Scene = {
    stretches,
    cues,
    steering,
    settings,
    cuts: sound === null ? new Set(picture?.cuts) : null,
    ...(picture === undefined ? {} : { seen: pictureCuesOf(stretches, picture) }),
  }
  const windows = (search.within ?? [{ start: 0, end: search.durationSeconds }]).flatMap((range) =>
    listWindows(scene, range),
  )
  const wanted = Math.max(0, settings.maxClips - taken.length)
  const chosen = chooseBest(windows, wanted, taken)
  return {
    candidates: chosen.map((window) => describeStretch(window, scene, search.name)),
    considered: windows.length,
  }
}

/** Stretches between pauses, in the form of sentences without words. */
function findSoundStretches(sound: DetectedSound, durationSeconds: number): Sentence[] {
  const spans = findLoudSpans(sound)
    .filter((span) => span.end - span.start >= MIN_STRETCH_SECONDS)
    .flatMap((span) =>
      cutLong(span, (from, to) => findLowestLevel(sound, from, Math.min(to, span.end - 0.5))),
    )
  return spans.map((span, index) =>
    stretchWithoutWords(
      span,
      index,
      Math.max(0, span.start - (spans[index - 1]?.end ?? 0)),
      Math.max(0, (spans[index + 1]?.start ?? Math.max(span.end, durationSeconds)) - span.end),
    ),
  )
}

function stretchWithoutWords(span: Span, index: number, before: number, after: number): Sentence {
  return {
    first: index,
    last: index,
    text: '',
    speaker: null,
    edgeStart: false,
    edgeEnd: false,
    ...span,
    before,
    after,
  }
}

/** Cuts a long span where `calmest` finds the best place between two times. */
function cutLong(span: Span, calmest: (from: number, to: number) => number): Span[] {
  const pieces: Span[] = []
  let { start } = span
  while (span.end - start > MAX_STRETCH_SECONDS) {
    const end = calmest(start + MAX_STRETCH_SECONDS / 2, start + MAX_STRETCH_SECONDS)
    pieces.push({ start, end })
    start = end
  }
  return [...pieces, { start, end: span.end }]
}

function findLoudSpans({ envelope, envelopeHopSeconds: hop, speechLevelDb, noiseLevelDb }: DetectedSound) {
  // Where speech hardly differs from its background, everything except digital silence is one stretch.
  const contrast = speechLevelDb - noiseLevelDb
  const silenceDb = contrast < 8 ? -70 : noiseLevelDb + Math.max(4, 0.3 * contrast)
  const spans: { start: number; end: number }[] = []
  envelope.forEach((level, index) => {
    if (level < silenceDb) return
    const start = index * hop
    const last = spans.at(-1)
    if (last !== undefined && start - last.end < PAUSE_SECONDS) last.end = start + hop
    else spans.push({ start, end: start + hop })
  })
  return spans
}

function findLowestLevel({ envelope, envelopeHopSeconds: hop }: DetectedSound, from: number, to: number) {
  let best = from
  let lowest = Infinity
  for (let index = Math.round(from / hop); index * hop < to; index += 1) {
    // Averaged over a fifth of a second, so that the gap between two beats does not count as a pause.
    const part = envelope.subarray(Math.max(0, index - 10), index + 10)
    const level = part.reduce((sum, value) => sum + value, 0) / Math.max(1, part.length)
    if (level < lowest) {
      best = index * hop
      lowest = level
    }
  }
  return roundMs(best)
}

interface Scene {
  readonly stretches: readonly Sentence[]
  readonly cues: SoundCues
  readonly seen?: PictureCues
  /** Times of cuts in a video without sound; null where there is sound. */
  readonly cuts: ReadonlySet<number> | null
  readonly steering: Steering
  readonly settings: FindClipsSettings
}

function listWindows(scene: Scene, range: Span): Window[] {
  const { stretches, settings } = scene
  const windows: Window[] = []
  stretches.forEach((first, from) => {
    if (first.start < range.start - 0.05) return
    const start = Math.max(range.start, startBefore(first))
    for (let to = from; to < stretches.length; to += 1) {
      const last = stretches[to]
      if (last === undefined || last.end > range.end + 0.05 || last.end - start > settings.maxLength) break
      const end = Math.min(
        range.end,
        start + settings.maxLength,
        Math.max(endAfter(last), findReactionEnd(scene, to)),
      )
      if (end - start >= settings.minLength) windows.push(scoreWindow(scene, { from, to, start, end }))
    }
  })
  return windows
}

function findReactionEnd({ cues, stretches }: Scene, to: number): number {
  const last = stretches[to]
  const until = cues.reactionEnds[to]
  if (last === undefined || until === undefined || until === null) return 0
  return roundMs(Math.min(until, last.end + Math.max(0, last.after - 0.15)))
}

function scoreWindow(scene: Scene, place: { from: number; to: number; start: number; end: number }): Window {
  const { stretches, cues, seen, steering, settings } = scene
  const watched = seen === undefined ? 0 : pictureEmotion(seen, place.from, place.to)
  const face = seen === undefined ? 0 : pictureHook(seen, place.from)
  const effect = soundEffect(cues, place.from, place.to)
  const inside = stretches.slice(place.from, place.to + 1)
  const before = inside[0]?.before ?? 0
  const after = inside.at(-1)?.after ?? 0
  const seconds = place.end - place.start
  const sounding = inside.reduce((sum, stretch) => sum + stretch.end - stretch.start, 0)
  const breaks = inside.slice(0, -1).filter((stretch) => stretch.after > BREAK_SECONDS).length
  const atCut = (second: number | undefined): number => (scene.cuts?.has(second ?? -1) === true ? AT_CUT : 0)
  const scores: SubScores = {
    hook: clampScore(36 + 12 * Math.min(1.5, before) + face + atCut(inside[0]?.start)),
    flow: clampScore(40 + 40 * Math.min(1, sounding / seconds) - 12 * breaks),
    value: 22,
    emotion: clampScore(24 + effect.emotion * 1.5 + watched),
    ending: clampScore(34 + 14 * Math.min(1.5, after) + effect.ending + atCut(inside.at(-1)?.end)),
  }
  const raw = weighted(scores, steering) - lengthPenalty(seconds, settings)
  return { ...place, scores, relevance: 0, story: 0, near: 0, seconds, own: raw, raw }
}

function describeStretch(window: Window, scene: Scene, name: string): ClipCandidate {
  const { stretches, cues, seen, cuts } = scene
  const { from, to, start, end, scores } = window
  const before = stretches[from]?.before ?? 0
  const after = stretches[to]?.after ?? 0
  const points = (sub: 'emotion' | 'ending'): Point[] => [
    ...pointsIn(cues, from, to, sub),
    ...(seen === undefined ? [] : seenPoints(seen, from, to, sub)),
  ]
  const strongest = (sub: 'emotion' | 'ending', plain: string): string =>
    points(sub).toSorted((a, b) => b.points - a.points)[0]?.reason ?? plain
  const breaks = stretches.slice(from, to).filter((stretch) => stretch.after > BREAK_SECONDS).length
  const reasons =
    cuts !== null
      ? listPictureReasons(cuts, stretches[from], stretches[to], strongest)
      : {
          hook:
            before > 0.3 ? `Begins after ${before.toFixed(1)} s of quiet` : 'Begins where the sound is low',
          flow: breaks === 0 ? 'Goes on without a long break' : `Breaks off ${breaks} times inside`,
          value: 'What is said is not known',
          emotion: strongest('emotion', 'The sound is even'),
          ending: strongest(
            'ending',
            after > 0.3 ? `Ends in ${after.toFixed(1)} s of quiet` : 'Ends where the sound is low',
          ),
        }
  const given = [reasons.emotion, reasons.ending].filter(
    (reason, index, all) => all.indexOf(reason) === index,
  )
  return {
    start,
    end,
    origin: 'found',
    bio: '',
    keywords: [],
    people: [],
    text: '',
    title: `${name.slice(0, 48)} ${formatClock(start)}`.trim(),
    score: calibrate(window.raw),
    features: featuresOf(window, { cues, ...omitUndefined({ seen }) }),
    scoreReasons: (['hook', 'flow', 'value', 'emotion', 'ending'] as const).map((sub) => ({
      name: sub,
      score: Math.round(scores[sub]),
      reason: `${reasons[sub]}.`,
    })),
    whyPicked: `Chosen by ${cuts !== null ? 'its picture' : seen === undefined ? 'its sound' : 'sound and picture'} alone: ${given.map((reason) => reason.charAt(0).toLowerCase() + reason.slice(1)).join('; ')}.`,
    startBoundary: { sentenceEdge: false, pauseSeconds: roundMs(before) },
    endBoundary: { sentenceEdge: false, pauseSeconds: roundMs(after) },
  }
}

function listPictureReasons(
  cuts: ReadonlySet<number>,
  first: Span | undefined,
  last: Span | undefined,
  strongest: (sub: 'emotion' | 'ending', plain: string) => string,
): Record<SubScoreName, string> {
  return {
    hook: cuts.has(first?.start ?? -1) ? 'Begins at a cut' : 'Begins where little moves',
    flow: 'Goes on without a break',
    value: 'Nothing is heard in it',
    emotion: strongest('emotion', 'The picture is even'),
    ending: cuts.has(last?.end ?? -1) ? 'Ends at a cut' : 'Ends where little moves',
  }
}

/** A time as players show it: 4:07, 1:02:03. */
function formatClock(seconds: number): string {
  const whole = Math.floor(seconds)
  const two = (value: number): string => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** Shorter shots are joined to the previous one. */
const MIN_SHOT_SECONDS = 1

/** The sound of a video without sound. */
const SILENCE: DetectedSound = {
  envelope: new Float32Array(),
  envelopeHopSeconds: 1,
  speechLevelDb: -20,
  noiseLevelDb: -100,
  pitches: new Float32Array(),
  events: [],
}

/** The shots of a video without sound; long ones are cut where least moves. */
export function pictureStretches({ cuts, looks }: PictureFacts, durationSeconds: number): Sentence[] {
  const edges = [0]
  for (const cut of cuts)
    if (cut - (edges.at(-1) ?? 0) >= MIN_SHOT_SECONDS && durationSeconds - cut >= MIN_SHOT_SECONDS)
      edges.push(cut)
  const calmest = (from: number, to: number): number => {
    const near = looks.filter(([time]) => time >= from && time <= to)
    return near.toSorted((a, b) => a[1] - b[1])[0]?.[0] ?? to
  }
  return edges
    .flatMap((start, at) => cutLong({ start, end: edges[at + 1] ?? durationSeconds }, calmest))
    .map((span, index) => stretchWithoutWords(span, index, 0, 0))
}
