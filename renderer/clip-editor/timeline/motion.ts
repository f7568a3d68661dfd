/** Transitions and keyframes of a clip, as its configuration holds them: reading and changing them. Source seconds. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'
import { ANIMATED_SOUND, animatedOfLayer } from '../../../server/contract/keyframes/animated.ts'
import type { Curve } from '../../../server/contract/keyframes/curves.ts'
import type { EasingName } from '../../../server/contract/keyframes/easings.ts'
import { valuesOn } from '../../../server/contract/keyframes/keyframes.ts'
import { TRANSITION_LENGTH, type MotionConfig } from '../../../server/contract/motion-config.ts'
import { cutsOf, transitionFrames } from '../../../server/contract/time-map/transitions.ts'
import { milliseconds } from '../../../server/contract/time-map/spans.ts'
import { rationalToNumber } from '../../../server/contract/time.ts'
import { NEAR_SECONDS, ownAt } from '../../../server/nodes/motion/transitions.ts'
import type { ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'

export const motionOf = ({ motionConfig }: Pick<ClipEdit, 'motionConfig'>): MotionConfig => motionConfig

export type TransitionChoice = NonNullable<MotionConfig['transition']>

export type SoundChoice = NonNullable<MotionConfig['transitionSound']>

/** A cut as it is played, and the transition that is chosen for it. */
export interface Join {
  /** In the middle of what is left out there. */
  readonly at: number
  readonly transition: TransitionChoice
  readonly seconds: number
  readonly color: 'black' | 'white'
  readonly sound: SoundChoice
  /** Set for this cut alone. */
  readonly isOwn: boolean
  /** Seconds that it really takes, for the takes beside it may be short; 0: none is shown. */
  readonly shownSeconds: number
}

type OwnCut = NonNullable<MotionConfig['cuts']>[number]

/** The cuts of a clip, in the order in which they are played. */
export function joinsOf(composition: Composition, config: MotionConfig): Join[] {
  const { timeMap, transitions = [], output } = composition
  const perSecond = rationalToNumber(output.frameRate)
  return cutsOf(timeMap).map((cut) => {
    const own = ownAt(config, cut)
    const shown = transitions.find(({ cutFrame }) => cutFrame === cut.frame)
    const frames = shown === undefined ? null : transitionFrames(shown)
    return {
      at: milliseconds((cut.outSeconds + cut.inSeconds) / 2),
      transition: own?.transition ?? config.transition ?? 'none',
      seconds: own?.seconds ?? config.transitionSeconds ?? TRANSITION_LENGTH.default,
      color: own?.color ?? config.transitionColor ?? 'black',
      sound: own?.sound ?? config.transitionSound ?? 'none',
      isOwn: own !== undefined,
      shownSeconds: frames === null ? 0 : (frames.endFrame - frames.startFrame) / perSecond,
    }
  })
}

/** The configuration with a cut's own transition; null: it takes the usual one again. */
export function withJoin(config: MotionConfig, join: Join, change: Partial<OwnCut> | null): MotionConfig {
  const others = (config.cuts ?? []).filter(({ at }) => Math.abs(at - join.at) > NEAR_SECONDS)
  const { at, transition, seconds, color, sound } = join
  const cuts = change === null ? others : [...others, { at, transition, seconds, color, sound, ...change }]
  return { ...config, cuts: cuts.toSorted((a, b) => a.at - b.at) }
}

export interface KeyframeRow {
  readonly time: number
  readonly value: number
  readonly easing: EasingName
  /** A way of its own, in place of the easing. */
  readonly curve?: Curve
}

/** Properties of a layer that are offered, and how they are called in the messages. */
export const OFFERED = [
  'opacity',
  'rect.x',
  'rect.y',
  'rect.width',
  'rect.height',
  'xPercent',
  'yPercent',
  'face.fontSize',
  'styles.yPercent',
  'styles.face.fontSize',
  'levelDb',
] as const
export type OfferedProperty = (typeof OFFERED)[number]

const findKeyed = ({ layers, audio }: Composition, id: string) =>
  layers.find((one) => one.id === id) ?? audio.tracks?.find((one) => one.id === id)

/** Those that this layer or track of the clip has. */
export function propertiesOf(composition: Composition, id: string): OfferedProperty[] {
  const one = findKeyed(composition, id)
  if (one === undefined) return []
  if (!('kind' in one)) return OFFERED.filter((name) => ANIMATED_SOUND.some((each) => each.name === name))
  const names = new Set(animatedOfLayer(one.kind).map(({ name }) => name))
  return OFFERED.filter((name) => names.has(name))
}

/** What it is on a frame, to the hundredth; 1 for an opacity that it does not name. */
export function valueOfProperty(
  composition: Composition,
  id: string,
  property: string,
  frame: number,
): number {
  const one = findKeyed(composition, id)
  if (one === undefined) return 0
  const found = property.split('.').reduce<unknown>(
    (inner, name) => {
      const entry: unknown = Array.isArray(inner) ? inner[0] : inner
      return (entry as Record<string, unknown> | undefined)?.[name]
    },
    valuesOn(one, frame),
  )
  return typeof found === 'number' ? Math.round(found * 100) / 100 : property === 'opacity' ? 1 : 0
}

export const pointsOf = (config: MotionConfig, layer: string, property: string): KeyframeRow[] =>
  (config.keyframes ?? [])
    .filter((entry) => entry.layer === layer && entry.property === property)
    .flatMap(({ points }) => points.map(({ easing = 'linear', ...point }) => ({ ...point, easing })))
    .toSorted((a, b) => a.time - b.time)

/** The times of all keyframes of a layer, each once. */
export const keyframeTimes = (config: MotionConfig, layer: string): number[] => [
  ...new Set(
    (config.keyframes ?? [])
      .filter((entry) => entry.layer === layer)
      .flatMap(({ points }) => points.map(({ time }) => time)),
  ),
]

/** Nearer than this is the same moment, seconds. */
const SAME_MOMENT = 0.001

/** The configuration with these points of a property; without any it rests. */
export function withPoints(
  config: MotionConfig,
  { layer, property }: { readonly layer: string; readonly property: string },
  points: readonly KeyframeRow[],
): MotionConfig {
  const others = (config.keyframes ?? []).filter((one) => one.layer !== layer || one.property !== property)
  const sorted = points.toSorted((a, b) => a.time - b.time)
  return {
    ...config,
    keyframes: sorted.length === 0 ? others : [...others, { layer, property, points: sorted }],
  }
}

/** Sets a point, in place of one at the same moment. */
export const setPoint = (points: readonly KeyframeRow[], point: KeyframeRow): KeyframeRow[] => [
  ...points.filter(({ time }) => Math.abs(time - point.time) > SAME_MOMENT),
  point,
]
