/** PURE: what a kind of transition is, as numbers: the export's filters and the preview's canvas both read these. */

/** What is seen on one frame of a transition. */
export interface TransitionLook {
  /** Opacity of what begins over what ends. */
  readonly mix: number
  /** How far both, side by side, have moved to the left, widths of the output; absent: each fills the output. */
  readonly slide?: number
  /** How much closer each is, around the middle; absent: as it is. */
  readonly outgoingScale?: number
  readonly incomingScale?: number
  /** Opacity of the transition's colour over both. */
  readonly wash?: number
}

/** How a picture that covers the clip enters and leaves; of `wash` the transition's colour lies over it meanwhile. */
export type TransitionEdge =
  { readonly kind: 'move'; readonly intro: EdgeMove; readonly outro: EdgeMove } | { readonly kind: 'wash' }

type EdgeMove = 'fade' | 'left' | 'right' | 'large'

export interface TransitionKind {
  /** Whether both are seen at once: then material beside the cut is read. */
  readonly overlaps: boolean
  /** `share` of the way, 0 to 1; the cut is at one half. */
  readonly look: (share: number) => TransitionLook
  /** Part of a frame's time for which the shutter is open, so that what moves is blurred; absent: sharp. */
  readonly shutter?: number
  /** At the edges of b-roll. */
  readonly edge: TransitionEdge
}

/** Starts and stops gently. */
export const smooth = (share: number): number => {
  const t = Math.min(1, Math.max(0, share))
  return t * t * (3 - 2 * t)
}
