/** Numbers of a layer or a sound track that change with time: one function evaluates them, for preview and export. PURE. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject } from '../config-fields.ts'
import { easing, EASING_NAMES } from './easings.ts'

export const KeyframePoint = closedObject({
  frame: Type.Integer(),
  value: Type.Number(),
  /** The way from here to the next point. */
  easing: choice(EASING_NAMES),
})
export type KeyframePoint = Static<typeof KeyframePoint>

/** One property over time: as at its first point before it, and as at its last one after it. */
export const PropertyKeyframes = closedObject({
  /** Its name in the layer, with dots: `rect.x`; in a list it is that of every entry. */
  property: Type.String(),
  /** In order of time, no two on one frame. */
  points: Type.Array(KeyframePoint, { minItems: 1 }),
})
export type PropertyKeyframes = Static<typeof PropertyKeyframes>

/** The field of what can have keyframes. */
export const KEYFRAMES = { keyframes: Type.Optional(Type.Array(PropertyKeyframes)) }

/** The value on a frame, which may have a fraction. */
export function valueAt(points: readonly KeyframePoint[], frame: number): number {
  const after = points.findIndex((point) => point.frame > frame)
  const before = after === -1 ? points.at(-1) : points[after - 1]
  const next = after === -1 ? undefined : points[after]
  if (before === undefined) return next?.value ?? 0
  if (next === undefined) return before.value
  const share = (frame - before.frame) / (next.frame - before.frame)
  return before.value + (next.value - before.value) * easing(before.easing).at(share)
}

interface Keyed {
  readonly keyframes?: readonly PropertyKeyframes[]
}

/** The same layer, or track, as it is on a frame, without keyframes. */
export function valuesOn<T extends Keyed>(keyed: T, frame: number): T {
  const { keyframes = [], ...still } = keyed
  return keyframes.reduce(
    (before, { property, points }) => withValue(before, property.split('.'), valueAt(points, frame)),
    still as unknown,
  ) as T
}

function withValue(target: unknown, [name, ...rest]: readonly string[], value: number): unknown {
  if (Array.isArray(target)) return target.map((one) => withValue(one, [name ?? '', ...rest], value))
  if (typeof target !== 'object' || target === null || name === undefined) return target
  const inner = (target as Record<string, unknown>)[name]
  return { ...target, [name]: rest.length === 0 ? value : withValue(inner, rest, value) }
}

/** The same keyframes so many frames later. */
export const movedKeyframes = (
  keyframes: readonly PropertyKeyframes[] | undefined,
  frames: number,
): { keyframes?: PropertyKeyframes[] } =>
  keyframes === undefined
    ? {}
    : {
        keyframes: keyframes.map(({ property, points }) => ({
          property,
          points: points.map((point) => ({ ...point, frame: point.frame + frames })),
        })),
      }
