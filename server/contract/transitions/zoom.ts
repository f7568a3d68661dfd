import { smooth, type TransitionKind } from './transition.ts'

const CLOSEST = 0.6
/** The share of the way in which one becomes the other. */
const MIXED = 0.3

/** Into what ends, and out of what begins. */
export const zoom: TransitionKind = {
  overlaps: true,
  look: (share) => ({
    mix: smooth((share - (1 - MIXED) / 2) / MIXED),
    outgoingScale: 1 + CLOSEST * Math.min(1, share * 1.6) ** 3,
    incomingScale: 1 + CLOSEST * Math.min(1, (1 - share) * 1.6) ** 3,
  }),
  edge: { kind: 'move', intro: 'large', outro: 'large' },
}
