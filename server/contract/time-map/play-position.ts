/** Where in the clip the source's player is: its clock is the file's, and it jumps over what is cut out. PURE. */
import { sourceFrames, type ClipLength, type Composition } from '../composition.ts'
import { rationalToNumber, ticksToSeconds } from '../time.ts'

/** What to do at a moment of playing. */
export type PlayStep =
  /** Shows this frame. `rate`: how fast the file is played here. */
  | { readonly kind: 'show'; readonly frame: number; readonly rate: number }
  /** At the end of a stretch, the player jumps to this second of the source. */
  | { readonly kind: 'jump'; readonly seconds: number; readonly frame: number }
  | { readonly kind: 'end' }

type Played = Pick<Composition, 'timeMap' | 'output'> & ClipLength

/** Players do not stop exactly where they were seeked to. */
const NEAR = 0.05

/** `seconds`: of the source, as the player is; `last`: the frame that was shown before. */
export function playStep(composition: Played, seconds: number, last: number): PlayStep {
  const perSecond = rationalToNumber(composition.output.frameRate)
  const { timeMap } = composition
  const index = Math.max(
    0,
    timeMap.findLastIndex(({ startFrame }) => startFrame <= last),
  )
  const span = timeMap[index]
  if (span === undefined) return { kind: 'end' }
  const from = ticksToSeconds(span.sourceStart)
  const to = ticksToSeconds(span.sourceEnd)
  if (seconds >= to - 1e-3) {
    const next = timeMap[index + 1]
    if (next === undefined) return { kind: 'end' }
    const start = ticksToSeconds(next.sourceStart)
    // Two stretches that touch play on without a jump.
    if (Math.abs(start - seconds) < NEAR)
      return { kind: 'show', frame: next.startFrame, rate: next.playbackRate }
    return { kind: 'jump', seconds: start, frame: next.startFrame }
  }
  if (seconds < from - NEAR) return { kind: 'jump', seconds: from, frame: span.startFrame }
  const frame = span.startFrame + Math.floor(((seconds - from) / span.playbackRate) * perSecond + 1e-6)
  const most = Math.min(span.endFrame, sourceFrames(composition).endFrame) - 1
  return { kind: 'show', frame: Math.max(span.startFrame, Math.min(most, frame)), rate: span.playbackRate }
}

/** The frame at which a source second is played; where it is cut out, the next played one. */
export function frameAt(composition: Played, seconds: number): number {
  const perSecond = rationalToNumber(composition.output.frameRate)
  for (const { startFrame, endFrame, sourceStart, sourceEnd, playbackRate } of composition.timeMap) {
    const from = ticksToSeconds(sourceStart)
    if (seconds < from) return startFrame
    if (seconds < ticksToSeconds(sourceEnd))
      return Math.min(
        endFrame - 1,
        startFrame + Math.floor(((seconds - from) / playbackRate) * perSecond + 1e-6),
      )
  }
  return Math.max(0, sourceFrames(composition).endFrame - 1)
}
