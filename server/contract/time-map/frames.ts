/** Between moments of the source and frames of the finished clip, by the spans of its time map. PURE. */
import { sourceFrameOn, type ClipLength, type Composition, type TimeSpan } from '../composition.ts'
import {
  frameToTicks,
  rationalToNumber,
  secondsToTicks,
  ticksToSeconds,
  type FrameRange,
  type Rational,
  type Stretch,
  type Ticks,
} from '../time.ts'

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

/** The moment of the finished clip at which a moment of the source is played, ticks; it is in this span. */
export const outputTick = (span: TimeSpan, moment: Ticks, rate: Rational): Ticks =>
  frameToTicks(span.startFrame, rate) + Math.round((moment - span.sourceStart) / span.playbackRate)

/** Source second in the middle of a frame of the span. */
export const middleSecond = (span: TimeSpan, frame: number): number =>
  ticksToSeconds(tickInSpan(span, frame + 0.5))

/** The frame that is on at a moment of the source; null: not in this span. */
export function frameOnAt(span: TimeSpan, second: number): number | null {
  const moment = secondsToTicks(second)
  if (moment < span.sourceStart || moment >= span.sourceEnd) return null
  return Math.floor(frameInSpan(span, moment) + 1e-6)
}

/** The first frame at or after a source second that is played; past the end when there is none. */
export function frameFrom(timeMap: readonly TimeSpan[], second: number): number {
  const moment = secondsToTicks(second)
  const span = timeMap.find(({ sourceEnd }) => moment < sourceEnd)
  return span === undefined ? (timeMap.at(-1)?.endFrame ?? 0) : Math.round(frameInSpan(span, moment))
}

/** The end of the last frame before a source second that is played; 0 when there is none. */
export function frameUpTo(timeMap: readonly TimeSpan[], second: number): number {
  const moment = secondsToTicks(second)
  const span = timeMap.findLast(({ sourceStart }) => sourceStart < moment)
  return span === undefined ? 0 : Math.round(frameInSpan(span, moment))
}

/** A part of a span. */
export interface Piece extends FrameRange {
  readonly span: TimeSpan
}

/** Frames whose middle is in a range, piece by piece as played. Adjacent ranges share no frame and leave none out. */
export function playedPieces(stretch: Stretch, timeMap: readonly TimeSpan[]): Piece[] {
  const start = secondsToTicks(stretch.start)
  const end = secondsToTicks(stretch.end)
  return timeMap.flatMap((span) => {
    const { startFrame: first, endFrame: last, sourceStart, sourceEnd } = span
    const perFrame = (sourceEnd - sourceStart) / (last - first)
    const from = (moment: number): number =>
      Math.min(last, Math.max(first, first + Math.ceil((moment - sourceStart) / perFrame - 0.5 - 1e-9)))
    const piece = { startFrame: from(start), endFrame: from(end), span }
    return piece.endFrame > piece.startFrame ? [piece] : []
  })
}

type Timed = Pick<Composition, 'timeMap' | 'output' | 'headFrames'>

/** The source second at a second of the clip, which begins after its head. */
export function sourceSecondPlayed({ timeMap, output, headFrames = 0 }: Timed, played: number): number {
  const frame = headFrames + Math.max(0, played * rationalToNumber(output.frameRate))
  const span = timeMap.findLast(({ startFrame }) => startFrame <= frame + 1e-6) ?? timeMap[0]
  if (span === undefined) return 0
  const since = (frame - span.startFrame) / rationalToNumber(output.frameRate)
  return Math.min(
    ticksToSeconds(span.sourceStart) + since * span.playbackRate,
    ticksToSeconds(span.sourceEnd),
  )
}

/** Seconds of the source, in the middle of the picture that is on (`sourceFrameOn`). */
export function sourceMoment(composition: Timed & ClipLength, frame: number): number {
  const { timeMap, output } = composition
  const perSecond = rationalToNumber(output.frameRate)
  const at = sourceFrameOn(composition, frame)
  const span = timeMap.findLast(({ startFrame }) => startFrame <= at) ?? timeMap[0]
  if (span === undefined) return 0
  const { playbackRate } = span
  const since = at - span.startFrame
  // Of the pictures that a frame at a higher speed covers, the last is shown.
  const picture = playbackRate === 1 ? since : Math.max(0, Math.ceil((since + 1) * playbackRate - 1e-6) - 1)
  return ticksToSeconds(span.sourceStart) + (picture + 0.5) / perSecond
}

/**
 * The second of the clip, which begins after its head, at which a source second is played; of one that is left out, where
 * playing goes on.
 */
export function playedSecond({ timeMap, output, headFrames = 0 }: Timed, second: number): number {
  const moment = secondsToTicks(second)
  const span = timeMap.find(({ sourceEnd }) => moment < sourceEnd)
  const frame = span === undefined ? (timeMap.at(-1)?.endFrame ?? 0) : frameInSpan(span, moment)
  return (frame - headFrames) / rationalToNumber(output.frameRate)
}
