/** Curves of entrances and emphasis. Everything is a function of whole frames, so that the same frame looks the same. */
export type Entrance = 'none' | 'fade' | 'pop' | 'bounce' | 'slide'

/** Animation state of a cue at one frame. */
export interface Pose {
  readonly alpha: number
  readonly scale: number
  /** In font sizes, downwards. */
  readonly shift: number
}

export const AT_REST: Pose = { alpha: 1, scale: 1, shift: 0 }

const SECONDS: Readonly<Record<Entrance, number>> = {
  none: 0,
  fade: 0.16,
  pop: 0.2,
  bounce: 0.42,
  slide: 0.22,
}
/** The largest scale and shift that each entrance reaches: bands are sized by it. */
export const REACH: Readonly<Record<Entrance, { scale: number; shift: number }>> = {
  none: { scale: 1, shift: 0 },
  fade: { scale: 1, shift: 0 },
  pop: { scale: 1.07, shift: 0 },
  bounce: { scale: 1.14, shift: 0 },
  slide: { scale: 1, shift: 0.55 },
}

const easeOut = (t: number): number => 1 - (1 - t) ** 3

/** The pose `frame` frames after the cue came (0 is its first frame, on which something is already seen). */
export function poseAt(entrance: Entrance, frame: number, framesPerSecond: number): Pose {
  const length = Math.max(1, Math.round(SECONDS[entrance] * framesPerSecond))
  if (entrance === 'none' || frame >= length) return AT_REST
  const t = (frame + 1) / (length + 1)
  switch (entrance) {
    case 'fade':
      return { alpha: easeOut(t), scale: 1, shift: 0 }
    case 'pop':
      return { alpha: Math.min(1, t * 3), scale: settle(t, 0.78, 0.07, 1), shift: 0 }
    case 'bounce':
      return { alpha: Math.min(1, t * 4), scale: settle(t, 0.6, 0.14, 2), shift: 0 }
    case 'slide':
      return { alpha: easeOut(t), scale: 1, shift: REACH.slide.shift * (1 - easeOut(t)) }
  }
}

/** From `from` past 1 by at most `over`, swinging `swings` times, to 1. */
function settle(t: number, from: number, over: number, swings: number): number {
  const rise = 0.4
  if (t < rise) return from + (1 + over - from) * easeOut(t / rise)
  const rest = (t - rise) / (1 - rise)
  return 1 + over * (1 - rest) ** 2 * Math.cos(rest * Math.PI * (swings - 0.5))
}

/** Emphasis of a word, 0 to 1: full `transition` frames after its start, fading the same way after its end. */
export function emphasisAt(frame: number, start: number, end: number, transition: number): number {
  if (frame < start) return 0
  const rising = easeOut(Math.min(1, (frame - start + 1) / (transition + 1)))
  if (frame < end) return rising
  const falling = 1 - easeOut(Math.min(1, (frame - end + 1) / (transition + 1)))
  return Math.min(rising, falling)
}
