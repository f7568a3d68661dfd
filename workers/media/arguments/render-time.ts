/**
 * Plans how ffmpeg reads the time map of a Composition: source windows (one seek each) and, per span, whole frames and
 * samples in its window. PURE.
 */
import { sourceFrames, type Composition, type TimeSpan } from '../../../server/contract/composition.ts'
import { transitionFrames } from '../../../server/contract/time-map/transitions.ts'
import { transitionKind } from '../../../server/contract/transitions/registry.ts'
import {
  frameToTicks,
  rationalToNumber,
  TICKS_PER_SECOND,
  ticksToSeconds,
  type Rational,
  type Ticks,
} from '../../../server/contract/time.ts'
import { LOOSE_LEAD_SECONDS, SOUND_LEAD_SECONDS } from './input.ts'

export const SAMPLE_RATE = 48_000

/** Spans that are further apart in the source than this get a seek of their own, instead of decoding what lies between. */
const FAR_APART = 8 * TICKS_PER_SECOND
const LOOSE_LEAD = LOOSE_LEAD_SECONDS * TICKS_PER_SECOND
/** Seconds read past the end, for slightly late timestamps and for crossfades. */
const TAIL = 0.5
const MICROSECONDS = 1_000_000

/** One opening of the source. */
export interface SourceWindow {
  /** Where reading starts. ffmpeg rounds to whole microseconds, so the grid below counts from exactly this value. */
  readonly seekMicroseconds: number
  readonly lengthSeconds: number
  readonly spans: readonly PlannedSpan[]
  /** What transitions show of this window besides its spans; absent: nothing. */
  readonly handles?: readonly PlannedHandle[]
}

/** Frames beside a cut, in the window's grid. */
export interface PlannedHandle {
  /** Index of the transition, and which of its two sides this is. */
  readonly transition: number
  readonly side: 'outgoing' | 'incoming'
  readonly sourceFrame: number
  readonly frames: number
  /** For so many more frames the picture that is nearest to the cut's other side is held: before or after the others. */
  readonly held: number
}

/** A span in its window's grid: frames at the output rate and samples at 48 kHz, both counted from the seek. */
export interface PlannedSpan {
  readonly startFrame: number
  readonly frames: number
  readonly playbackRate: number
  readonly sourceFrame: number
  readonly sourceFrames: number
  readonly sourceSample: number
  /** Played samples; the sum over all spans is exactly the length from the head to the tail. */
  readonly samples: number
}

export interface TimePlan {
  readonly windows: readonly SourceWindow[]
  readonly totalSamples: number
  /** Samples of the head, which has no sound of the source. */
  readonly headSamples: number
  /** Samples before the tail, which has none either. */
  readonly playedSamples: number
  /** Whether every span plays at natural speed. */
  readonly natural: boolean
}

export function planTime(composition: Composition): TimePlan {
  const rate = composition.output.frameRate
  const spans = joinSpans(composition.timeMap)
  const { seeksLoosely, pictureStart = 0, pictureEnd = Infinity } = composition.source
  // In whole frames, so that slightly early timestamps are not lost by the seek.
  const leadFrames = Math.ceil(SOUND_LEAD_SECONDS * rationalToNumber(rate))
  const lead = seeksLoosely === true ? LOOSE_LEAD : frameToTicks(leadFrames, rate)
  const reaches = reachesOf(composition)
  const groups: TimeSpan[][] = []
  for (const span of spans) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    const near =
      before !== undefined &&
      span.sourceStart >= before.sourceEnd &&
      span.sourceStart - before.sourceEnd <= FAR_APART
    if (last !== undefined && near) last.push(span)
    else groups.push([span])
  }
  return {
    windows: groups.map((group) => planWindow(group, rate, { lead, pictureStart, pictureEnd, reaches })),
    totalSamples: sampleAt(composition.durationFrames, rate),
    headSamples: sampleAt(sourceFrames(composition).startFrame, rate),
    playedSamples: sampleAt(sourceFrames(composition).endFrame, rate),
    natural: spans.every((span) => span.playbackRate === 1),
  }
}

/** Seconds read before the wanted picture, because one that is shown for long began earlier. */
const LEAD_SECONDS = 1

/**
 * A window read for these of its frames alone, from shortly before the first of them: by the same grid of frames, so that they
 * show the same pictures. `spans` and `handles` count as in the window.
 */
export function openLater(
  window: SourceWindow,
  spans: readonly PlannedSpan[],
  { output, source }: Composition,
  handles: readonly PlannedHandle[] = [],
): SourceWindow {
  const perSecond = rationalToNumber(output.frameRate)
  const wanted = Math.min(...[...spans.slice(0, 1), ...handles].map(({ sourceFrame }) => sourceFrame))
  const lead = source.seeksLoosely === true ? LOOSE_LEAD_SECONDS : LEAD_SECONDS
  const ends = ticksToSeconds(source.pictureEnd ?? Infinity) - window.seekMicroseconds / MICROSECONDS
  const skipped = Math.max(0, Math.min(wanted, Math.floor(ends * perSecond)) - Math.ceil(lead * perSecond))
  return {
    seekMicroseconds: Math.floor(window.seekMicroseconds + (skipped * MICROSECONDS) / perSecond),
    lengthSeconds: window.lengthSeconds - skipped / perSecond,
    spans: spans.map((span) => ({ ...span, sourceFrame: span.sourceFrame - skipped })),
    ...(handles.length === 0
      ? {}
      : { handles: handles.map((one) => ({ ...one, sourceFrame: one.sourceFrame - skipped })) }),
  }
}

/**
 * How the picture is read from an output frame on, which lies within no transition; of its sound it says nothing. At natural speed
 * only.
 */
export function planFrom(composition: Composition, frame: number): TimePlan {
  const whole = planTime(composition)
  if (frame === 0) return whole
  const { transitions = [] } = composition
  /** Whether this transition is still to come. */
  const isLeft = (index: number): boolean => {
    const transition = transitions[index]
    return transition !== undefined && transitionFrames(transition).startFrame >= frame
  }
  const windows = whole.windows.flatMap((window) => {
    const spans = window.spans.flatMap((span) => {
      const since = Math.max(0, frame - span.startFrame)
      if (since >= span.frames) return []
      const { startFrame, frames, sourceFrame, sourceFrames } = span
      const later = { startFrame: startFrame + since, frames: frames - since }
      return [{ ...span, ...later, sourceFrame: sourceFrame + since, sourceFrames: sourceFrames - since }]
    })
    const handles = (window.handles ?? []).filter(({ transition }) => isLeft(transition))
    return spans.length === 0 ? [] : [openLater(window, spans, composition, handles)]
  })
  return { ...whole, windows }
}

/** The output sample at which an output frame starts. */
export function sampleAt(frame: number, rate: Rational): number {
  return Math.round((frame * SAMPLE_RATE * rate.denominator) / rate.numerator)
}

/** Joins spans that continue where the previous one ended, because there is no cut between them. */
function joinSpans(spans: readonly TimeSpan[]): TimeSpan[] {
  const joined: TimeSpan[] = []
  for (const span of spans) {
    if (span.endFrame <= span.startFrame) continue
    const last = joined.at(-1)
    if (last?.sourceEnd === span.sourceStart && last.playbackRate === span.playbackRate) {
      joined[joined.length - 1] = { ...last, endFrame: span.endFrame, sourceEnd: span.sourceEnd }
    } else joined.push(span)
  }
  return joined
}

/** A transition at a cut: half of its frames are read beyond each side of it. */
interface Reach {
  readonly transition: number
  readonly cutFrame: number
  readonly half: number
  /** Whether its picture reads them too, and not only its sound. */
  readonly seen: boolean
}

function reachesOf({ transitions = [], source }: Composition): Reach[] {
  return transitions.map(({ kind, cutFrame, frames }, transition) => ({
    transition,
    cutFrame,
    half: frames / 2,
    seen: source.hasVideo && transitionKind(kind).overlaps,
  }))
}

/** The frames that are read before and after a span. */
function beside({ startFrame, endFrame }: TimeSpan, reaches: readonly Reach[]) {
  const at = (frame: number): Reach | undefined => reaches.find(({ cutFrame }) => cutFrame === frame)
  return { before: at(startFrame), after: at(endFrame) }
}

interface WindowSurroundings extends Readonly<Record<'lead' | 'pictureStart' | 'pictureEnd', Ticks>> {
  readonly reaches: readonly Reach[]
}

function planWindow(
  spans: readonly TimeSpan[],
  rate: Rational,
  { lead, pictureStart, pictureEnd, reaches }: WindowSurroundings,
): SourceWindow {
  const starts = spans.map(
    (span) => span.sourceStart - frameToTicks(beside(span, reaches).before?.half ?? 0, rate),
  )
  const from = Math.min(...starts, pictureEnd) - lead
  // Before the first picture there is no keyframe to seek to, so the file is read from its start.
  const seekMicroseconds = from <= pictureStart ? 0 : Math.floor((from / TICKS_PER_SECOND) * MICROSECONDS)
  const ends = spans.map(
    (span) => span.sourceEnd + frameToTicks(beside(span, reaches).after?.half ?? 0, rate),
  )
  const end = Math.max(...ends) / TICKS_PER_SECOND
  let free = 0
  const planned = spans.map((span): PlannedSpan => {
    const frames = span.endFrame - span.startFrame
    const fromSeek = span.sourceStart / TICKS_PER_SECOND - seekMicroseconds / MICROSECONDS
    // After rounding, two spans must not claim the same frame: it would be shown once and a frame would be missing.
    const sourceFrame = Math.max(free, Math.round((fromSeek * rate.numerator) / rate.denominator))
    const sourceFrames = Math.max(1, Math.ceil(frames * span.playbackRate - 1e-6))
    free = sourceFrame + sourceFrames
    return {
      startFrame: span.startFrame,
      frames,
      playbackRate: span.playbackRate,
      sourceFrame,
      sourceFrames,
      sourceSample: Math.round(fromSeek * SAMPLE_RATE),
      samples: sampleAt(span.endFrame, rate) - sampleAt(span.startFrame, rate),
    }
  })
  const handles = planned.flatMap((own, index) => {
    const span = spans[index]
    return span === undefined ? [] : handlesOf(own, beside(span, reaches))
  })
  return {
    seekMicroseconds,
    lengthSeconds: end - seekMicroseconds / MICROSECONDS + TAIL,
    spans: planned,
    ...(handles.length === 0 ? {} : { handles }),
  }
}

/** Material before and after a span; its own first or last picture is held where its speed was changed. */
function handlesOf(
  { sourceFrame, sourceFrames: taken, playbackRate }: PlannedSpan,
  { before, after }: ReturnType<typeof beside>,
): PlannedHandle[] {
  const handles: PlannedHandle[] = []
  if (before?.seen === true) {
    const { transition, half } = before
    const frames = playbackRate === 1 ? Math.min(half, sourceFrame) : 0
    const read =
      frames === 0
        ? { sourceFrame, frames: 1, held: half - 1 }
        : { sourceFrame: sourceFrame - frames, frames, held: half - frames }
    handles.push({ transition, side: 'incoming', ...read })
  }
  if (after?.seen === true) {
    const { transition, half } = after
    const read =
      playbackRate === 1
        ? { sourceFrame: sourceFrame + taken, frames: half, held: 0 }
        : { sourceFrame: sourceFrame + taken - 1, frames: 1, held: half - 1 }
    handles.push({ transition, side: 'outgoing', ...read })
  }
  return handles
}
