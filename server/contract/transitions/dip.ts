import { smooth, type TransitionKind } from './transition.ts'

/** To a colour, and out of it. */
export const dip: TransitionKind = {
  overlaps: false,
  look: (share) => ({ mix: share < 0.5 ? 0 : 1, wash: smooth(1 - Math.abs(2 * share - 1)) }),
  edge: { kind: 'wash' },
}
