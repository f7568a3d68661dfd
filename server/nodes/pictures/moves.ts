/**
 * How pictures enter and leave, by the names that callers send: `fade`, `slideInLeft`, `zoomOut` and so on. Case,
 * spaces, dashes and the "in" or "out" of a slide are ignored, because the direction is known.
 */
import type { PictureMove } from '../../contract/composition.ts'
import type { Warn } from '../compose/read-config.ts'

type Kind = PictureMove['kind']

/**
 * Sides as the names mean them: "slide in left" enters from the left and "slide out left" leaves to the left, but
 * "slide in up" moves upwards, so it enters from below, and "slide out up" leaves over the top.
 */
const COMING: Readonly<Record<string, Kind>> = {
  slideleft: 'left',
  slideright: 'right',
  slideup: 'bottom',
  slidedown: 'top',
  zoomin: 'small',
  zoomout: 'large',
  zoom: 'small',
  pop: 'small',
  scale: 'small',
}
const GOING: Readonly<Record<string, Kind>> = {
  slideleft: 'left',
  slideright: 'right',
  slideup: 'top',
  slidedown: 'bottom',
  zoomin: 'large',
  zoomout: 'small',
  zoom: 'small',
  pop: 'small',
  scale: 'small',
}
const EITHER: Readonly<Record<string, Kind>> = {
  none: 'none',
  cut: 'none',
  fade: 'fade',
  fadein: 'fade',
  fadeout: 'fade',
  dissolve: 'fade',
  crossfade: 'fade',
}

/** Default duration of a named transition, in seconds. */
const DEFAULT_SECONDS = 0.5

export interface Movement {
  readonly animationDuration?: number
  readonly introTransitionId?: string
  readonly outroTransitionId?: string
}

/**
 * Coming and going of what is shown for `shownFrames`; each takes half of that at most. With a duration and no name it
 * fades; with neither it is simply there. An unknown name fades, with a warning.
 */
export function readMoves(
  config: Movement,
  shown: { readonly frames: number; readonly framesPerSecond: number; readonly label: string },
  warn: Warn,
): { intro: PictureMove; outro: PictureMove } {
  const unnamed: Kind = (config.animationDuration ?? 0) > 0 ? 'fade' : 'none'
  const wanted = Math.round((config.animationDuration ?? DEFAULT_SECONDS) * shown.framesPerSecond)
  const longest = Math.min(wanted, Math.floor(shown.frames / 2))
  const read = (name: 'introTransitionId' | 'outroTransitionId', table: typeof COMING): PictureMove => {
    const given = config[name]?.toLowerCase().replaceAll(/[^a-z]/gu, '') ?? ''
    const key = given.replace(/^slide(?:in|out)/u, 'slide')
    const known = { ...EITHER, ...table }
    const found = Object.hasOwn(known, key) ? known[key] : undefined
    if (given !== '' && found === undefined) {
      warn(`${shown.label}.${name} "${String(config[name]).slice(0, 60)}" is not known; it fades instead.`)
    }
    const kind = given === '' ? unnamed : (found ?? 'fade')
    return kind === 'none' || longest === 0 ? { kind: 'none', frames: 0 } : { kind, frames: longest }
  }
  return { intro: read('introTransitionId', COMING), outro: read('outroTransitionId', GOING) }
}
