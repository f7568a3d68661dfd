/** A layer with keyframes: laid out anew wherever its values change, by whatever lays it out without them. */
import type { Layer } from '../../../server/contract/composition.ts'
import { valuesOn } from '../../../server/contract/keyframes/keyframes.ts'
import { unionBox, type Box } from '../box.ts'
import { joinRanges, type LayoutContext, type PreparedLayer } from './layer.ts'

type Prepare = (layer: Layer, context: LayoutContext) => PreparedLayer

export function prepareKeyed(layer: Layer, context: LayoutContext, prepareStill: Prepare): PreparedLayer {
  const quiet: LayoutContext = { ...context, warn: () => undefined }
  const known = new Map<string, PreparedLayer>()
  const keyOf = (still: Layer): string =>
    JSON.stringify((layer.keyframes ?? []).map(({ property }) => valueOf(still, property.split('.'))))
  const on = (frame: number): { key: string; still: PreparedLayer } => {
    const values = valuesOn(layer, frame)
    const key = keyOf(values)
    const before = known.get(key)
    if (before !== undefined) return { key, still: before }
    // Whatever there is to warn of is the same with other values.
    const still = prepareStill(values, known.size === 0 ? context : quiet)
    known.set(key, still)
    return { key, still }
  }
  const frames = changingFrames(layer, context.durationFrames)
  const stills = frames.map((frame) => on(frame).still)
  const isDrawn = stills.some(({ box }) => box !== null)
  const whole: Box = { x: 0, y: 0, width: context.width, height: context.height }
  const reach = stills.map(({ box }) => box).reduce<Box | null>(unionBox, null)
  return {
    id: layer.id,
    // Captions are many blocks, of which each is laid out when it is shown.
    box: !isDrawn ? null : layer.kind === 'captions' ? whole : reach,
    shown: joinRanges(stills.flatMap(({ shown }) => [...shown])),
    stateAt: (frame) => {
      const { key, still } = on(frame)
      const state = still.stateAt(frame)
      return state === '' ? '' : `${key} ${state}`
    },
    paintedAt: (frame) => on(frame).still.paintedAt(frame),
    damage: (from, to) => {
      const before = on(from)
      const after = on(to)
      if (before.key === after.key) return after.still.damage(from, to)
      return unionBox(before.still.paintedAt(from), after.still.paintedAt(to))
    },
    draw: (canvas, frame) => on(frame).still.draw(canvas, frame),
    blockAt: (frame) => on(frame).still.blockAt?.(frame) ?? null,
  }
}

function valueOf(target: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(target)) return valueOf(target[0], [name, ...rest])
  const inner = (target as Record<string, unknown> | null | undefined)?.[name]
  return rest.length === 0 ? inner : valueOf(inner, rest)
}

/** Frames on which it may look different: those of its points, and all between two of them; of captions the points alone. */
function changingFrames(layer: Layer, durationFrames: number): number[] {
  const points = (layer.keyframes ?? []).flatMap(({ points: all }) => all.map(({ frame }) => frame))
  const first = Math.max(0, Math.min(...points))
  const last = Math.min(durationFrames - 1, Math.max(...points))
  if (layer.kind === 'captions') return [...new Set([first, ...points, last])]
  return [0, ...Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)]
}
