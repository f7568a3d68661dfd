/**
 * The time map of a clip: which stretch of the source each output frame plays. With `clip-times.ts` and `cut.ts` beside it
 * it is the only way from one kind of time to another (docs/decisions/0068): source time, cut time (seconds from the clip's
 * start in the source, as segments are stored) and played time (frames or seconds of the finished clip). PURE.
 *
 * Cuts are on frame boundaries of the output, so that every span is a whole number of frames; a range moves by at most half
 * a frame.
 */
import type { TimeSpan } from '../composition.ts'
import { frameInSpan, tickInSpan } from './frames.ts'
import { AppError } from '../errors.ts'
import {
  frameToTicks,
  secondsToTicks,
  ticksToNearestFrame,
  ticksToSeconds,
  type FrameRange,
  type Rational,
  type Ticks,
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
