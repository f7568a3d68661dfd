/** Finds the layers that stand still under everything else, for a source without a picture. PURE. */
import type { Composition, Layer } from '../../../../server/contract/composition.ts'

/** What is painted once, and what moves over it. */
export interface Grounded {
  /** The same composition with the still layers only; null: there are none. */
  readonly ground: Composition | null
  readonly over: Composition
}

/**
 * Takes only the lowest layers that are visible and equal on every frame: they are painted once into the picture from which ffmpeg
 * starts, which costs nothing per frame.
 */
export function splitGround(composition: Composition): Grounded {
  if (composition.source.hasVideo) return { ground: null, over: composition }
  const { layers, durationFrames } = composition
  const first = layers.findIndex((layer) => !standsStill(layer, durationFrames))
  const count = first === -1 ? layers.length : first
  if (count === 0) return { ground: null, over: composition }
  return {
    ground: { ...composition, layers: layers.slice(0, count) },
    over: { ...composition, layers: layers.slice(count) },
  }
}

function standsStill(layer: Layer, durationFrames: number): boolean {
  if (layer.kind !== 'shape' && layer.kind !== 'image') return false
  if (layer.startFrame > 0 || layer.endFrame < durationFrames) return false
  if (layer.kind === 'shape') return true
  return layer.intro.kind === 'none' && layer.outro.kind === 'none' && (layer.drift ?? 0) === 0
}
