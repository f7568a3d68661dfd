/** PURE: every way from one keyframe to the next: a new one is one line here, as a function and as ffmpeg writes it. */

interface Easing {
  /** The share of the way at a share of the time, 0 to 1. */
  readonly at: (share: number) => number
  /** The same of an expression. */
  readonly written: (share: string) => string
}

const EASINGS = {
  linear: { at: (t) => t, written: (t) => t },
  ease_in: { at: (t) => t * t, written: (t) => `${t}*${t}` },
  ease_out: { at: (t) => t * (2 - t), written: (t) => `${t}*(2-${t})` },
  ease_in_out: { at: (t) => t * t * (3 - 2 * t), written: (t) => `${t}*${t}*(3-2*${t})` },
  hold: { at: () => 0, written: () => '0' },
} as const satisfies Record<string, Easing>

export type EasingName = keyof typeof EASINGS
export const EASING_NAMES = Object.keys(EASINGS) as readonly EasingName[]

export const easing = (name: EasingName): Easing => EASINGS[name]
