/** PURE: every kind of transition, in the order in which people are shown them: a new one is one file and one line here. */
import { crossFade } from './cross-fade.ts'
import { dip } from './dip.ts'
import type { TransitionKind } from './transition.ts'
import { whip } from './whip.ts'
import { zoom } from './zoom.ts'

const KINDS = { cross_fade: crossFade, whip, zoom, dip } as const satisfies Record<string, TransitionKind>

export type TransitionName = keyof typeof KINDS
export const TRANSITION_NAMES = Object.keys(KINDS) as readonly TransitionName[]

export const transitionKind = (name: TransitionName): TransitionKind => KINDS[name]

/** Colours that a transition can go through. */
export const TRANSITION_COLOURS = ['black', 'white'] as const
