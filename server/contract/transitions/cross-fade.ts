import type { TransitionKind } from './transition.ts'

export const crossFade: TransitionKind = {
  overlaps: true,
  look: (share) => ({ mix: share }),
  edge: { kind: 'move', intro: 'fade', outro: 'fade' },
}
