/** The frames of a transition as numbers, for the export's filters and the preview's canvas alike. PURE. */
import type { Transition } from '../../server/contract/composition.ts'
import { transitionKind } from '../../server/contract/transitions/registry.ts'
import type { TransitionLook } from '../../server/contract/transitions/transition.ts'

export type Look = TransitionLook

/** Pictures of which a frame is made where something moves fast. */
export const TAPS = 4

/** What is seen on each of its frames: a frame shows what is on in its middle. */
export function looksOf({ kind, frames }: Pick<Transition, 'kind' | 'frames'>): Look[] {
  const { look } = transitionKind(kind)
  return Array.from({ length: frames }, (_, frame) => look((frame + 0.5) / frames))
}

/**
 * How far the two pictures, side by side, have moved to the left, even pixels: for each of the frame's taps, or for its middle
 * alone where it is sharp, by frame.
 */
export function slidTaps({ kind, frames }: Pick<Transition, 'kind' | 'frames'>, width: number): number[][] {
  const { look, shutter } = transitionKind(kind)
  const taps = shutter === undefined ? [0.5] : tapTimes(shutter)
  return taps.map((time) =>
    Array.from({ length: frames }, (_, frame) => {
      const { slide = 0 } = look((frame + time) / frames)
      return Math.round((Math.min(1, Math.max(0, slide)) * width) / 2) * 2
    }),
  )
}

/** Moments of a frame, as parts of its time, spread evenly over that in which the shutter is open. */
const tapTimes = (shutter: number): number[] =>
  Array.from({ length: TAPS }, (_, tap) => 0.5 + shutter * ((tap + 0.5) / TAPS - 0.5))

/** The middle part of a length that fills it when it is looked at so much closer. */
export function closerView(all: number, scale: number): { from: number; length: number } {
  const length = all / scale
  return { from: (all - length) / 2, length }
}
