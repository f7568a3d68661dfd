/** How b-roll comes and goes: within its own first and last frames, so that it covers what it covered. PURE. */
import type { ClipBroll } from '../../contract/clip-broll.ts'
import type { Composition, ImageLayer, Layer, ShapeLayer, VideoLayer } from '../../contract/composition.ts'
import { TRANSITION_LENGTH, type MotionConfig } from '../../contract/motion-config.ts'
import { rationalToNumber } from '../../contract/time.ts'
import { transitionKind } from '../../contract/transitions/registry.ts'
import { fullRect } from '../pictures/place.ts'

type Insert = ImageLayer | VideoLayer

/** The layers with those of b-roll coming and going as the config says; the last frames of one lie under what follows it. */
export function withBrollEdges(
  layers: readonly Layer[],
  broll: ClipBroll | undefined,
  config: MotionConfig,
  output: Composition['output'],
): Layer[] {
  const { brollTransition = 'none', brollTransitionSeconds, brollTransitionColor = 'black' } = config
  if (config.enabled === false || brollTransition === 'none') return [...layers]
  const inserts = new Set(broll?.inserts.map(({ id }) => id))
  const { edge } = transitionKind(brollTransition)
  const seconds = brollTransitionSeconds ?? TRANSITION_LENGTH.default
  const wanted = Math.max(1, Math.round(seconds * rationalToNumber(output.frameRate)))
  const shown = layers.filter((layer): layer is Insert => isInsert(layer, inserts))
  const isStart = (frame: number): boolean => shown.some(({ startFrame }) => startFrame === frame)
  return layers.flatMap((layer): Layer[] => {
    if (!isInsert(layer, inserts)) return [layer]
    const { id, startFrame, endFrame } = layer
    const frames = Math.min(wanted, Math.floor((endFrame - startFrame) / 2))
    if (frames < 1) return [layer]
    const follows = isStart(endFrame)
    if (edge.kind === 'wash') {
      const half = Math.max(1, Math.round(frames / 2))
      const edges = follows ? [startFrame] : [startFrame, endFrame]
      const colour = brollTransitionColor
      return [layer, ...edges.map((at) => dipAt(at, { id: `${id}-dip-${at}`, half, colour, output }))]
    }
    return [
      {
        ...layer,
        // What follows comes in over it.
        endFrame: follows ? endFrame + wanted : endFrame,
        intro: { kind: edge.intro, frames },
        outro: follows ? layer.outro : { kind: edge.outro, frames },
      },
    ]
  })
}

interface Dip {
  readonly id: string
  readonly half: number
  readonly colour: string
  readonly output: Composition['output']
}

/** A colour over all of the picture, which comes before a frame and goes after it. */
function dipAt(at: number, { id, half, colour, output }: Dip): ShapeLayer {
  const frames = [at - half, at, at + half]
  const points = frames.map((frame) => ({
    frame,
    value: frame === at ? 1 : 0,
    easing: 'ease_in_out' as const,
  }))
  return {
    kind: 'shape',
    id,
    rect: fullRect(output),
    colour,
    radius: 0,
    startFrame: at - half,
    endFrame: at + half,
    keyframes: [{ property: 'opacity', points }],
  }
}

const isInsert = (layer: Layer, inserts: ReadonlySet<string>): layer is Insert =>
  (layer.kind === 'image' || layer.kind === 'video') && inserts.has(layer.id)
