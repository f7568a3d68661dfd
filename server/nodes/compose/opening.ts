/** Puts what opens a clip before it: everything else of the composition comes as many frames later. PURE. */
import type { CaptionLayer, Composition, Layer } from '../../contract/composition.ts'
import { movedKeyframes } from '../../contract/keyframes/keyframes.ts'
import { lengthenedBy, movedBy, moveSource } from '../../contract/time-map/head.ts'
import { frameToTicks } from '../../contract/time.ts'
import type { Opening } from '../declare.ts'

/** `ground`: how many of the lowest layers stand in for a source without picture; they are painted once, for all frames. */
export function withOpening(composition: Composition, opening: Opening | null, ground: number): Composition {
  if (opening === null) return composition
  const { frames, layers, tracks } = opening
  const ticks = frameToTicks(frames, composition.output.frameRate)
  const { masks, tracks: others = [], ...audio } = composition.audio
  const heard = [...others.map((track) => movedBy(track, frames)), ...tracks]
  return {
    ...moveSource(composition, frames),
    durationFrames: composition.durationFrames + frames,
    headFrames: frames,
    layers: [
      ...composition.layers.slice(0, ground).map((layer) => lengthenedBy(layer, frames)),
      ...layers,
      ...composition.layers.slice(ground).map((layer) => moveLayer(layer, frames)),
    ],
    audio: {
      ...audio,
      ...(masks === undefined
        ? {}
        : { masks: masks.map((mask) => ({ ...mask, start: mask.start + ticks, end: mask.end + ticks })) }),
      ...(heard.length === 0 ? {} : { tracks: heard }),
    },
  }
}

const moveLayer = (layer: Layer, frames: number): Layer =>
  layer.kind === 'captions' ? moveCaptions(layer, frames) : movedBy(layer, frames)

const moveCaptions = (layer: CaptionLayer, frames: number): CaptionLayer => ({
  ...layer,
  ...movedKeyframes(layer.keyframes, frames),
  cues: layer.cues.map((cue) => ({
    ...movedBy(cue, frames),
    words: cue.words.map((word) => movedBy(word, frames)),
  })),
})
