/** Which frame of a clip shows best what a node does. PURE. */
import type { Composition } from '../../server/contract/composition.ts'

/** What a node draws, by the ids and kinds of its layers. */
const LAYERS: Readonly<Record<string, (layer: Composition['layers'][number]) => boolean>> = {
  add_subtitles: ({ kind }) => kind === 'captions',
  add_title_overlay: ({ kind }) => kind === 'title',
  add_broll: ({ kind, id }) => kind !== 'captions' && id.startsWith('broll'),
  add_outro: ({ id }) => id === 'end-card',
}

const SECONDS = 2

/** The middle of what the node shows first; two seconds into the clip where it shows nothing of its own. */
export function frameOf(composition: Composition, type: string | null): number {
  const { durationFrames, headFrames = 0, layers, zooms = [], output } = composition
  const rate = output.frameRate.numerator / output.frameRate.denominator
  const usual = Math.min(headFrames + Math.round(SECONDS * rate), durationFrames - 1)
  const [zoom] = zooms
  if (type === 'smart_zoom' && zoom !== undefined) return middle(zoom)
  const layer = layers.find((one) => LAYERS[type ?? '']?.(one) === true)
  if (layer?.kind === 'captions') return middle(layer.cues[0] ?? { startFrame: usual, endFrame: usual })
  if (layer === undefined || !('startFrame' in layer)) return usual
  const { startFrame, endFrame } = layer
  return startFrame <= usual && usual < endFrame ? usual : Math.min(middle(layer), durationFrames - 1)
}

const middle = ({ startFrame, endFrame }: { startFrame: number; endFrame: number }): number =>
  Math.floor((startFrame + endFrame) / 2)
