/**
 * The time map of a clip: which stretch of the source each output frame plays. With `clip-times.ts` and `cut.ts` beside it
 * it is the only way from one kind of time to another (docs/decisions/0068): source time, cut time (seconds from the clip's
 * start in the source, as segments are stored) and played time (frames or seconds of the finished clip). PURE.
 *
 * Cuts are on frame boundaries of the output, so that every span is a whole number of frames; a range moves by at most half
 * a frame.
 */
import type { TimeSpan } from '../composition.ts'
import { AppError } from '../errors.ts'
import {
  frameToTicks,
  secondsToTicks,
  ticksToNearestFrame,
  ticksToSeconds,
  type Rational,
  type Ticks,
  type FrameRange,
  type Stretch,
} from '../time.ts'

/** A stretch of the source that is played, seconds. */
export interface PlayedRange {
  readonly start: number
  readonly end: number
  /** 1 is natural speed. */
  readonly playbackRate: number
}

/** A stretch of the source of which what is played stays, seconds; everything else of what was played goes. */
export interface KeptStretch {
  readonly start: number
  readonly end: number
  /** In place of the speed that it had. */
  playbackRate?: number
}

export interface TimeMap {
  readonly timeMap: TimeSpan[]
  readonly durationFrames: number
}

/** Frames at this rate, in seconds to the millisecond. */
export const framesToSeconds = (frames: number, rate: Rational): number =>
  milliseconds((frames * rate.denominator) / rate.numerator)

/** The frame whose beginning is nearest to a played second. */
export const secondsToFrame = (seconds: number, rate: Rational): number =>
  Math.round((seconds * rate.numerator) / rate.denominator)

/** Seconds, to the millisecond. */
export const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** The map of these ranges, in their order; of nothing where none is as long as one frame. */
export function buildTimeMap(ranges: readonly PlayedRange[], rate: Rational, sourceDuration: Ticks): TimeMap {
  return joinSpans(ranges, (range, frame) => spanOf(range, frame, rate, sourceDuration))
}

/** Throws RENDER_FAILED when nothing is left to play. */
export function requirePlayed(map: TimeMap): TimeMap {
  if (map.durationFrames > 0) return map
  throw new AppError('RENDER_FAILED', {
    message: 'Nothing is left of the clip: its range, less what was cut, is shorter than one frame.',
  })
}

/** Spans one after the other, from frame 0; those that go on where the one before ends are one. */
function joinSpans<T>(
  parts: readonly T[],
  spanAt: (part: T, startFrame: number) => TimeSpan | null,
): TimeMap {
  const timeMap: TimeSpan[] = []
  let frame = 0
  for (const part of parts) {
    const span = spanAt(part, frame)
    if (span === null) continue
    const last = timeMap.at(-1)
    if (last !== undefined && last.sourceEnd === span.sourceStart && sameSpeed(last, span)) {
      timeMap[timeMap.length - 1] = { ...last, endFrame: span.endFrame, sourceEnd: span.sourceEnd }
    } else timeMap.push(span)
    frame = span.endFrame
  }
  return { timeMap, durationFrames: frame }
}

/** What the map plays inside of these stretches of the source: exactly those frames of it, whatever cut it before. */
export function keepStretches({ timeMap }: TimeMap, kept: readonly KeptStretch[], rate: Rational): TimeMap {
  const parts = timeMap.flatMap((span) => kept.map((stretch) => ({ span, stretch })))
  return joinSpans(parts, ({ span, stretch }, startFrame) => {
    const playbackRate = stretch.playbackRate ?? span.playbackRate
    if (playbackRate === span.playbackRate) {
      const edge = (seconds: number): number => Math.round(frameInSpan(span, secondsToTicks(seconds)))
      const from = edge(stretch.start)
      const to = edge(stretch.end)
      if (to <= from) return null
      return {
        startFrame,
        endFrame: startFrame + to - from,
        sourceStart: tickInSpan(span, from),
        sourceEnd: tickInSpan(span, to),
        playbackRate,
      }
    }
    const sourceStart = Math.max(span.sourceStart, secondsToTicks(stretch.start))
    const sourceEnd = Math.min(span.sourceEnd, secondsToTicks(stretch.end))
    const perFrame = (frameToTicks(1000, rate) / 1000) * playbackRate
    // A last frame that the stretch does not fill is dropped rather than taken of what is left out.
    const count = Math.floor((sourceEnd - sourceStart) / perFrame + 1e-6)
    if (count < 1) return null
    const end = sourceStart + Math.round(count * perFrame)
    return { startFrame, endFrame: startFrame + count, sourceStart, sourceEnd: end, playbackRate }
  })
}

/** The stretches of the source that these ranges of output frames play; `keepStretches` plays them and nothing else. */
export function stretchesOfFrames(
  timeMap: readonly TimeSpan[],
  ranges: readonly (FrameRange & { readonly playbackRate?: number | undefined })[],
): KeptStretch[] {
  return ranges.flatMap(({ startFrame, endFrame, playbackRate }) => {
    const first = timeMap.find((span) => startFrame < span.endFrame)
    const last = timeMap.findLast((span) => span.startFrame < endFrame)
    if (first === undefined || last === undefined) return []
    const start = ticksToSeconds(tickInSpan(first, Math.max(first.startFrame, startFrame)))
    const end = ticksToSeconds(tickInSpan(last, Math.min(last.endFrame, endFrame)))
    return end > start ? [playbackRate === undefined ? { start, end } : { start, end, playbackRate }] : []
  })
}

/** What lies in both, with the speeds of `kept`, or else of `before`. Both are in order of time, and so is this. */
export function intersectStretches(
  kept: readonly KeptStretch[],
  before: readonly KeptStretch[],
): KeptStretch[] {
  return kept.flatMap((one) =>
    before.flatMap((other): KeptStretch[] => {
      const start = Math.max(one.start, other.start)
      const end = Math.min(one.end, other.end)
      const playbackRate = one.playbackRate ?? other.playbackRate
      if (end <= start) return []
      return [playbackRate === undefined ? { start, end } : { start, end, playbackRate }]
    }),
  )
}

/** What the spans play of the source, seconds. */
export const rangesOfSpans = (timeMap: readonly TimeSpan[]): PlayedRange[] =>
  timeMap.map(({ sourceStart, sourceEnd, playbackRate }) => ({
    start: ticksToSeconds(sourceStart),
    end: ticksToSeconds(sourceEnd),
    playbackRate,
  }))

/** The map whose spans played these ranges. */
export function mapOfRanges(ranges: readonly PlayedRange[], rate: Rational): TimeMap {
  return joinSpans(ranges, ({ start, end, playbackRate }, startFrame) => {
    const sourceStart = secondsToTicks(start)
    const sourceEnd = secondsToTicks(end)
    const perFrame = (frameToTicks(1000, rate) / 1000) * playbackRate
    const count = Math.round((sourceEnd - sourceStart) / perFrame)
    return count < 1
      ? null
      : { startFrame, endFrame: startFrame + count, sourceStart, sourceEnd, playbackRate }
  })
}

/** Only spans at natural speed are joined: their ends are exact. */
function sameSpeed(a: TimeSpan, b: TimeSpan): boolean {
  return a.playbackRate === 1 && b.playbackRate === 1
}

function spanOf(range: PlayedRange, startFrame: number, rate: Rational, duration: Ticks): TimeSpan | null {
  const first = ticksToNearestFrame(secondsToTicks(range.start), rate)
  const sourceStart = frameToTicks(first, rate)
  const frameTicks = frameToTicks(1000, rate) / 1000
  // At natural speed both ends sit on frames, so that ranges that touch still do; otherwise the played length counts.
  const wanted =
    range.playbackRate === 1
      ? ticksToNearestFrame(secondsToTicks(range.end), rate) - first
      : Math.round(secondsToTicks(range.end - range.start) / (frameTicks * range.playbackRate))
  const endOf = (count: number): Ticks =>
    range.playbackRate === 1
      ? frameToTicks(first + count, rate)
      : sourceStart + Math.round(count * range.playbackRate * frameTicks)
  // A last frame that the source does not fill is dropped rather than invented.
  let frames = wanted
  while (frames > 0 && endOf(frames) > duration) frames -= 1
  if (frames < 1) return null
  return {
    startFrame,
    endFrame: startFrame + frames,
    sourceStart,
    sourceEnd: endOf(frames),
    playbackRate: range.playbackRate,
  }
}

/** Where a moment of the source is in the output, as frames with a fraction; null when it is cut out. */
export function outputFrame(
  timeMap: readonly TimeSpan[],
  moment: Ticks,
): { frame: number; span: TimeSpan } | null {
  const span = timeMap.find((entry) => entry.sourceStart <= moment && moment < entry.sourceEnd)
  return span === undefined ? null : { frame: frameInSpan(span, moment), span }
}

/** The moment's place in the span, clamped to it; frames with a fraction. */
export function frameInSpan(span: TimeSpan, moment: Ticks): number {
  const share = (moment - span.sourceStart) / (span.sourceEnd - span.sourceStart)
  return span.startFrame + Math.min(1, Math.max(0, share)) * (span.endFrame - span.startFrame)
}

/** The moment of the source at which a frame of the span begins; frames may have a fraction. */
export function tickInSpan(span: TimeSpan, frame: number): Ticks {
  const share = (frame - span.startFrame) / (span.endFrame - span.startFrame)
  return span.sourceStart + Math.round(share * (span.sourceEnd - span.sourceStart))
}

/** The span that a frame is in; null for frames that show none of the source. */
export const spanOfFrame = (timeMap: readonly TimeSpan[], frame: number): TimeSpan | null =>
  timeMap.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame) ?? null

/** The source second at which a frame begins, or with a fraction a moment in it; null where none of the source is shown. */
export function sourceSecond(timeMap: readonly TimeSpan[], frame: number): number | null {
  const span = spanOfFrame(timeMap, frame)
  return span === null ? null : ticksToSeconds(tickInSpan(span, frame))
}

/** The source second at the edge of a frame: at a cut, that of what begins (`start`) or of what ends there (`end`). */
export function sourceSecondAtEdge(
  timeMap: readonly TimeSpan[],
  frame: number,
  edge: 'start' | 'end',
): number {
  const span =
    timeMap.find(({ startFrame, endFrame }) =>
      edge === 'start' ? startFrame <= frame && frame < endFrame : startFrame < frame && frame <= endFrame,
    ) ?? timeMap.at(-1)
  return span === undefined ? 0 : ticksToSeconds(tickInSpan(span, frame))
}

/** Editors set times in milliseconds: what begins in the last one of a span begins with the next span. */
const LAST_TICKS = secondsToTicks(0.001)

/** From its first played frame to after its last one; null when none of it is played. Source seconds. */
export function playedFrames(stretch: Stretch, timeMap: readonly TimeSpan[]): FrameRange | null {
  const start = secondsToTicks(stretch.start)
  const end = secondsToTicks(stretch.end)
  const played = timeMap.filter(
    ({ sourceStart, sourceEnd }) => sourceStart < end && start < sourceEnd - LAST_TICKS,
  )
  const first = played[0]
  const last = played.at(-1)
  if (first === undefined || last === undefined) return null
  const startFrame = Math.round(frameInSpan(first, start))
  const endFrame = Math.round(frameInSpan(last, end))
  return endFrame > startFrame ? { startFrame, endFrame } : null
}
