/** Which transitions a clip has at its cuts, and how long they can be there. PURE. */
import type { TimeSpan, Transition } from '../../contract/composition.ts'
import { TRANSITION_LENGTH, type MotionConfig } from '../../contract/motion-config.ts'
import { rationalToNumber, type Rational } from '../../contract/time.ts'
import { cutsOf, secondsBeside, type Cut } from '../../contract/time-map/transitions.ts'
import type { ComposeContext } from '../declare.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'

type Chosen = Pick<Transition, 'kind' | 'colour'> & { readonly seconds: number }

/** A cut is meant by a second that is this near to what is left out there. */
export const NEAR_SECONDS = 0.05

/** What is set for a cut alone. */
export const ownAt = ({ cuts = [] }: MotionConfig, cut: Cut) =>
  cuts.findLast(({ at }) => cut.outSeconds - NEAR_SECONDS <= at && at <= cut.inSeconds + NEAR_SECONDS)

/** What an editor or the workflow chose for a cut; null: none. */
function chosenAt(config: MotionConfig, cut: Cut) {
  const { transition, transitionSeconds, transitionColor } = config
  const own = ownAt(config, cut)
  const kind = own?.transition ?? transition ?? 'none'
  if (kind === 'none') return null
  const seconds = own?.seconds ?? transitionSeconds ?? TRANSITION_LENGTH.default
  return { kind, seconds, colour: own?.color ?? transitionColor ?? 'black' } satisfies Chosen
}

/**
 * Transitions of a clip, centred on its cuts. None is longer than half of a take that it meets on each side, so that two of them
 * never meet; where that leaves less than two frames, there is none.
 */
export function placeTransitions(
  config: MotionConfig,
  { timeMap, output }: Pick<ComposeContext, 'timeMap' | 'output'>,
): Transition[] {
  if (config.enabled === false) return []
  const rate = output.frameRate
  return cutsOf(timeMap).flatMap((cut): Transition[] => {
    const chosen = chosenAt(config, cut)
    if (chosen === null) return []
    const { kind, colour, seconds } = chosen
    const wanted = Math.round((seconds * rationalToNumber(rate)) / 2)
    const half = Math.min(
      Math.max(1, wanted),
      Math.floor(cut.outgoingFrames / 2),
      Math.floor(cut.incomingFrames / 2),
    )
    if (half < 1) return []
    const frames = 2 * half
    return [{ kind, colour, cutFrame: cut.frame, frames, soundMs: (frames * 1000) / rationalToNumber(rate) }]
  })
}

/**
 * The same transitions with the sound's crossfade short enough that nothing is heard of a word that is left out at its cut: an
 * editor or a node took it out.
 */
export function keepWordsOut(
  transitions: readonly Transition[],
  words: readonly Pick<TranscriptWord, 'start' | 'end'>[],
  timeMap: readonly TimeSpan[],
  rate: Rational,
): { transitions?: Transition[] } {
  if (transitions.length === 0) return {}
  const shorter = transitions.map((transition) => {
    const half = transition.frames / (2 * rationalToNumber(rate))
    const most = secondsBeside(timeMap, transition.cutFrame, half, words)
    return { ...transition, soundMs: Math.round(2000 * most) }
  })
  return { transitions: shorter }
}
