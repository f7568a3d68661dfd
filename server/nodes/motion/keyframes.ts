/** Puts the keyframes of a clip's configuration on its layers and tracks. PURE. */
import type { Layer, SoundTrack, TimeSpan } from '../../contract/composition.ts'
import type { MotionConfig } from '../../contract/motion-config.ts'
import { ANIMATED_SOUND, animatedOfLayer, type AnimatedProperty } from '../../contract/keyframes/animated.ts'
import { straightPieces } from '../../contract/keyframes/curves.ts'
import type { PropertyKeyframes } from '../../contract/keyframes/keyframes.ts'
import { frameFrom } from '../../contract/time-map/frames.ts'
import type { Warn } from '../../contract/render-remarks.ts'

type Given = NonNullable<MotionConfig['keyframes']>[number]

interface Keyable {
  readonly layers: readonly Layer[]
  readonly tracks: readonly SoundTrack[]
}

/** Times count in the source, so that they stay on their words; those in what is left out are where playing goes on. */
export function withKeyframes(
  { layers, tracks }: Keyable,
  { enabled, keyframes = [] }: MotionConfig,
  timeMap: readonly TimeSpan[],
  warn: Warn,
): { layers: Layer[]; tracks: SoundTrack[] } {
  const given = enabled === false ? [] : keyframes
  const ids = new Set([...layers, ...tracks].map(({ id }) => id))
  given.forEach(({ layer }, index) => {
    if (ids.has(layer)) return
    const field = `motionConfig.keyframes.${index}.layer`
    warn('NOTHING_FOUND', field, `${field}: the clip has no layer "${layer.slice(0, 60)}".`)
  })
  const keyed = <T extends Layer | SoundTrack>(one: T, properties: readonly AnimatedProperty[]): T => {
    const own = given.flatMap((entry, index) => {
      if (entry.layer !== one.id) return []
      const property = properties.find(({ name }) => name === entry.property)
      if (property !== undefined) return [keyframesOf(entry, property, timeMap)]
      const field = `motionConfig.keyframes.${index}.property`
      warn('VALUE_IGNORED', field, `${field}: "${entry.layer}" has no ${entry.property}.`)
      return []
    })
    return own.length === 0 ? one : { ...one, keyframes: own }
  }
  return {
    layers: layers.map((layer) => keyed(layer, animatedOfLayer(layer.kind))),
    tracks: tracks.map((track) => keyed(track, ANIMATED_SOUND)),
  }
}

function keyframesOf(
  { points }: Given,
  { name, minimum, maximum }: AnimatedProperty,
  timeMap: readonly TimeSpan[],
): PropertyKeyframes {
  const within = (value: number): number => Math.min(maximum, Math.max(minimum, value))
  const byFrame = new Map(
    points
      .toSorted((a, b) => a.time - b.time)
      .map(({ time, value, easing = 'linear', curve }) => {
        const frame = frameFrom(timeMap, time)
        return [frame, { point: { frame, value: within(value), easing }, curve }] as const
      }),
  )
  const placed = [...byFrame.values()].toSorted((a, b) => a.point.frame - b.point.frame)
  const whole = placed.flatMap(({ point, curve }, index) => {
    const next = placed[index + 1]?.point
    if (curve === undefined || next === undefined) return [point]
    return straightPieces(point, next, curve).map((one) => ({ ...one, value: within(one.value) }))
  })
  return { property: name, points: whole }
}
