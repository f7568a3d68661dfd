/**
 * What lies beside the cuts of a clip, for its transitions. A transition plays over the frames around its cut: the map of
 * time, and with it the clip's length, stays as it is. What ends goes on behind its cut, and what begins is there before it,
 * with the material that the source has there; where there is none, and where a take's speed was changed, a picture is held.
 * PURE.
 */
import type { Composition, TimeSpan, Transition } from '../composition.ts'
import { rationalToNumber, secondsToTicks, ticksToSeconds, type FrameRange } from '../time.ts'
import { transitionKind } from '../transitions/registry.ts'

type Joined = Pick<Composition, 'transitions' | 'timeMap' | 'output'>

/** The frames on which it is seen: as many before its cut as after it. */
export const transitionFrames = ({ cutFrame, frames }: Transition): FrameRange => ({
  startFrame: cutFrame - frames / 2,
  endFrame: cutFrame + frames / 2,
})

/** The transition that a frame belongs to; null: none. */
export function transitionOn({ transitions = [] }: Joined, frame: number): Transition | null {
  return (
    transitions.find((one) => {
      const { startFrame, endFrame } = transitionFrames(one)
      return startFrame <= frame && frame < endFrame
    }) ?? null
  )
}

/** The takes that meet at the cut; null where there is none. */
function takesAt(timeMap: readonly TimeSpan[], cutFrame: number) {
  const outgoing = timeMap.find(({ endFrame }) => endFrame === cutFrame)
  const incoming = timeMap.find(({ startFrame }) => startFrame === cutFrame)
  return outgoing === undefined || incoming === undefined ? null : { outgoing, incoming }
}

/**
 * Seconds of the source, in the middle of the picture that is seen besides the frame's own: before the cut of what begins
 * there, after it of what has ended. Null where only one is seen.
 */
export function besideMoment(composition: Joined, frame: number): number | null {
  const transition = transitionOn(composition, frame)
  if (transition === null || !transitionKind(transition.kind).overlaps) return null
  const takes = takesAt(composition.timeMap, transition.cutFrame)
  if (takes === null) return null
  const perSecond = rationalToNumber(composition.output.frameRate)
  const { cutFrame } = transition
  if (frame < cutFrame) {
    const { sourceStart, playbackRate } = takes.incoming
    const frames = playbackRate === 1 ? cutFrame - frame : 0
    return Math.max(0, ticksToSeconds(sourceStart) - frames / perSecond) + 0.5 / perSecond
  }
  const { sourceEnd, playbackRate } = takes.outgoing
  const frames = playbackRate === 1 ? frame - cutFrame : -1
  return ticksToSeconds(sourceEnd) + (frames + 0.5) / perSecond
}

/** Where one take ends and the next begins. */
export interface Cut {
  /** The first frame of what begins. */
  readonly frame: number
  /** Source seconds: where the one ends, and where the other begins; in this order also where the source is played backwards. */
  readonly outSeconds: number
  readonly inSeconds: number
  /** Length of both, frames. */
  readonly outgoingFrames: number
  readonly incomingFrames: number
}

/** The cuts of a clip: where its source does not simply go on. */
export function cutsOf(timeMap: readonly TimeSpan[]): Cut[] {
  return timeMap.flatMap((incoming, index) => {
    const outgoing = timeMap[index - 1]
    if (outgoing === undefined || outgoing.sourceEnd === incoming.sourceStart) return []
    const [from, to] = [outgoing.sourceEnd, incoming.sourceStart].toSorted((a, b) => a - b)
    return [
      {
        frame: incoming.startFrame,
        outSeconds: ticksToSeconds(from ?? 0),
        inSeconds: ticksToSeconds(to ?? 0),
        outgoingFrames: outgoing.endFrame - outgoing.startFrame,
        incomingFrames: incoming.endFrame - incoming.startFrame,
      },
    ]
  })
}

/**
 * How far, in seconds and `most` at the most, both sides of a cut can be heard beyond it without any of the words that neither
 * take plays, and without what lies before the source.
 */
export function secondsBeside(
  timeMap: readonly TimeSpan[],
  cutFrame: number,
  most: number,
  words: readonly { readonly start: number; readonly end: number }[],
): number {
  const takes = takesAt(timeMap, cutFrame)
  if (takes === null) return 0
  const end = ticksToSeconds(takes.outgoing.sourceEnd)
  const start = ticksToSeconds(takes.incoming.sourceStart)
  const leftOut = words.filter((word) => {
    const middle = secondsToTicks((word.start + word.end) / 2)
    return !timeMap.some(({ sourceStart, sourceEnd }) => sourceStart <= middle && middle < sourceEnd)
  })
  const behind = leftOut.filter((word) => word.end > end).map((word) => Math.max(0, word.start - end))
  const before = leftOut.filter((word) => word.start < start).map((word) => Math.max(0, start - word.end))
  return Math.max(0, Math.min(most, start, ...behind, ...before))
}
