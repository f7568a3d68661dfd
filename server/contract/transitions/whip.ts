import type { TransitionKind } from './transition.ts'

/** Like a camera that is thrown round: slow, very fast at the cut, slow. */
export const whip: TransitionKind = {
  overlaps: true,
  look: (share) => {
    const t = Math.min(1, Math.max(0, share))
    return { mix: t < 0.5 ? 0 : 1, slide: t < 0.5 ? 8 * t ** 4 : 1 - 8 * (1 - t) ** 4 }
  },
  shutter: 0.5,
  edge: { kind: 'move', intro: 'right', outro: 'left' },
}
