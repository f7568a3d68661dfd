/**
 * Maps output frames to source ticks for the clip's played ranges. Cuts are on frame boundaries of the output, so that
 * every span is a whole number of frames; a range moves by at most half a frame.
 */
import type { ClipDocument } from '../../contract/clip.ts'
import type { TimeSpan } from '../../contract/composition.ts'
import { AppError } from '../../contract/errors.ts'
import {
  frameToTicks,
  secondsToTicks,
  ticksToNearestFrame,
  type Rational,
  type Ticks,
  type FrameRange,
  type Stretch,
} from '../../contract/time.ts'

/** A stretch of the source that is played, seconds. */
export interface PlayedRange {
  readonly start: number
  readonly end: number
  /** 1 is natural speed. */
  readonly playbackRate: number
}

export interface TimeMap {
  readonly timeMap: TimeSpan[]
  readonly durationFrames: number
}

/** What of the source the document plays, in order, inside the source; segments count from its startTimestamp. */
export function listPlayedRanges(
  document: Pick<ClipDocument, 'startTimestamp' | 'endTimestamp' | 'segments'>,
  sourceDuration: number,
): PlayedRange[] {
  const start = Math.max(0, document.startTimestamp)
  const end = Math.min(document.endTimestamp, sourceDuration)
  const ranges =
    document.segments.length === 0
      ? [{ start, end, playbackRate: 1 }]
      : document.segments.map((segment) => ({
          start: Math.max(start, document.startTimestamp + segment.startSeconds),
          end: Math.min(end, document.startTimestamp + segment.endSeconds),
          playbackRate: segment.playbackRate ?? 1,
        }))
  return ranges.filter((range) => range.end > range.start).sort((a, b) => a.start - b.start)
}

/** Throws RENDER_FAILED when nothing as long as one frame is left. */
export function buildTimeMap(ranges: readonly PlayedRange[], rate: Rational, sourceDuration: Ticks): TimeMap {
  const timeMap: TimeSpan[] = []
  let frame = 0
  for (const range of ranges) {
    const span = spanOf(range, frame, rate, sourceDuration)
    if (span === null) continue
    const last = timeMap.at(-1)
    if (last !== undefined && last.sourceEnd === span.sourceStart && sameSpeed(last, span)) {
      timeMap[timeMap.length - 1] = { ...last, endFrame: span.endFrame, sourceEnd: span.sourceEnd }
    } else timeMap.push(span)
    frame = span.endFrame
  }
  if (frame === 0) {
    throw new AppError('RENDER_FAILED', {
      message: 'Nothing is left of the clip: its range, less what was cut, is shorter than one frame.',
    })
  }
  return { timeMap, durationFrames: frame }
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
