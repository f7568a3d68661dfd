/**
 * Chooses what of a composition is in its thumbnail, and which frames it may be taken from. Captions are omitted: a
 * still would show them in the middle of a word. Preferred frames have no transition in progress and cover the clip's
 * own picture least.
 */
import { type ClipFaces, decodeWave } from '../../contract/clip-measurements.ts'
import {
  sourceFrames,
  type AudiogramLayer,
  type Composition,
  type Layer,
  type PictureMove,
  type Rect,
} from '../../contract/composition.ts'
import type { ThumbnailPlan } from '../../contract/thumbnail.ts'
import { isShown } from '../layout/quality.ts'
import { meet, shownFaces } from './face-places.ts'
import type { ThumbnailDesign } from './thumbnail-design.ts'
import { referenceSize } from './read-config.ts'
import type { ResolvedNode } from '../../contract/run.ts'
import { applyOverrides } from '../manual-overrides/index.ts'
import { aspectName, outputShape } from '../settings.ts'
import { compileComposition, type Compiled, type CompileInput } from './compile-composition.ts'
import type { FrameRange } from '../../contract/time.ts'

/** Frames that are considered, evenly over the clip and away from its edges, and how many of them are used. */
const CONSIDERED = 45
const KEPT = 5
/** A face of this share of the picture's height, or more, is as good as it gets. */
const LARGE_FACE = 0.2
/** Shares of the picture that are covered alike. */
const ALIKE = 0.05

type Moment = ThumbnailPlan['moments'][number]

/** `design`: drawn over the one frame that it names. The same composition gives the same plan. */
export function thumbnailPlan(
  composition: Composition,
  faces?: ClipFaces,
  design?: ThumbnailDesign | null,
): ThumbnailPlan {
  const shown = shownIn(composition)
  if (design !== undefined && design !== null) return designedPlan(shown, design)
  const { startFrame: first, endFrame } = sourceFrames(shown)
  const total = endFrame - first
  const count = Math.min(CONSIDERED, total)
  const all = Array.from({ length: count }, (_, at) => first + Math.floor(((at + 0.5) * total) / count))
  const steady = all.filter((frame) => shown.layers.every((layer) => !isPartial(layer, frame)))
  const free = findLeastCovered(shown, steady.length > 0 ? steady : all)
  const moments = free.map((frame): Moment => ({ frame, worth: worthOf(shown, frame, faces) }))
  return { composition: shown, moments: spread(moments) }
}

function designedPlan(shown: Composition, { frame, clipLayers, layers }: ThumbnailDesign): ThumbnailPlan {
  const own = clipLayers ? shown.layers : []
  return { composition: { ...shown, layers: [...own, ...layers] }, moments: [{ frame, worth: 1 }] }
}

/** Removes sound and captions, so that editing them does not change the thumbnail. */
function shownIn(composition: Composition): Composition {
  const { framing: _framing, ...rest } = composition
  return {
    ...rest,
    layers: composition.layers.filter(({ kind }) => kind !== 'captions'),
    audio: { integratedLufs: null, truePeakDb: 0, crossfadeMs: 0, edgeFadeMs: 0 },
  }
}

function isOn(layer: Layer, frame: number): boolean {
  return layer.kind !== 'captions' && layer.startFrame <= frame && frame < layer.endFrame
}

function isPartial(layer: Layer, frame: number): boolean {
  if (!isOn(layer, frame)) return false
  const within = (layer_: FrameRange, into: number, out: number): boolean =>
    frame - layer_.startFrame < into || layer_.endFrame - frame <= out
  const frames = (move: PictureMove): number => (move.kind === 'none' ? 0 : move.frames)
  if (layer.kind === 'title') return within(layer, layer.fadeFrames, layer.fadeFrames)
  if (layer.kind === 'image' || layer.kind === 'video')
    return within(layer, frames(layer.intro), frames(layer.outro))
  return false
}

/** Those that the largest picture over them covers least: b-roll and cards are not what the clip is about. */
function findLeastCovered(composition: Composition, frames: readonly number[]): number[] {
  const size = referenceSize(composition.output)
  const whole: Rect = { x: 0, y: 0, ...size }
  const covers = frames.map((frame) => {
    const shares = composition.layers.flatMap((layer) => {
      if ((layer.kind !== 'image' && layer.kind !== 'video') || !isOn(layer, frame)) return []
      const common = meet(layer.rect, whole)
      return common === null
        ? []
        : [(layer.opacity * common.width * common.height) / (size.width * size.height)]
    })
    return Math.max(0, ...shares)
  })
  const least = Math.min(...covers)
  return frames.filter((_, at) => (covers[at] ?? 1) <= least + ALIKE)
}

function worthOf(composition: Composition, frame: number, faces: ClipFaces | undefined): number {
  if (!composition.source.hasVideo) return 1 + loudness(composition, frame)
  if (faces === undefined) return 1
  const seen = { ...composition, zooms: composition.zooms ?? [] }
  const heights = shownFaces(faces, frame, seen)
    .filter(({ places }) => isShown(places))
    .map(({ places }) => Math.max(...places.map(({ height }) => height)))
  return 1 + Math.min(1, Math.max(0, ...heights) / LARGE_FACE)
}

/** Height of the wave around a frame, 0 to 1; where it is silent there is nothing to see. */
function loudness({ layers, output }: Composition, frame: number): number {
  const wave = layers.find((layer): layer is AudiogramLayer => layer.kind === 'audiogram')
  if (wave === undefined) return 0
  const levels = decodeWave(wave.levels)
  const reach = Math.ceil((0.25 * output.frameRate.numerator) / output.frameRate.denominator)
  const place = (at: number): number => Math.floor((at - wave.startFrame) / wave.framesPerLevel)
  const around = levels.subarray(Math.max(0, place(frame - reach)), Math.max(0, place(frame + reach) + 1))
  return around.length === 0 ? 0 : around.reduce((sum, level) => sum + level, 0) / around.length
}

/** The worthiest of each of a few stretches; of equals the one in its middle. */
function spread(moments: readonly Moment[]): Moment[] {
  const count = Math.min(KEPT, moments.length)
  return Array.from({ length: count }, (_, stretch) => {
    const from = Math.floor((stretch * moments.length) / count)
    const own = moments.slice(from, Math.floor(((stretch + 1) * moments.length) / count))
    const middle = (own.length - 1) / 2
    const ranked = own
      .map((moment, at) => ({ moment, off: Math.abs(at - middle) }))
      .toSorted((a, b) => b.moment.worth - a.moment.worth || a.off - b.off)
    return ranked[0]?.moment
  }).flatMap((moment) => moment ?? [])
}

type Size = Pick<Composition['output'], 'width' | 'height'>

/** The clip as it would be in this size; null: in its own. Throws as compileComposition does. */
export function thumbnailShape(input: CompileInput, size: Size | null): Compiled {
  if (size === null) return compileComposition(input)
  const { document, facts } = input
  const set = applyOverrides(document)
  const wanted = aspectName(size.width, size.height)
  const own = outputShape(set.nodes, facts)
  const compiled = compileComposition(
    own.aspectRatio === wanted
      ? input
      : { ...input, document: { ...document, ...converted(document, set.nodes, wanted) } },
  )
  const { output } = compiled.composition
  return { ...compiled, composition: { ...compiled.composition, output: { ...output, ...size } } }
}

/** The document's nodes and parts with the one that gives a clip its shape turned to this one. */
function converted(
  { overrides }: CompileInput['document'],
  nodes: readonly ResolvedNode[],
  aspectRatio: string,
): Pick<CompileInput['document'], 'nodes' | 'overrides'> {
  const type = 'convert_to_vertical'
  const before = nodes.findLast((node) => node.type === type && node.enabled)
  const own: ResolvedNode = {
    id: before?.id ?? 'thumbnail-shape',
    type,
    enabled: true,
    config: { ...before?.config, enabled: true, aspect_ratio: aspectRatio },
  }
  // Manual overrides are in `nodes` already, and must not be applied again.
  const { nodes: _set, ...rest } = overrides ?? {}
  return {
    nodes: [...nodes.filter((node) => node.type !== type), own],
    ...(overrides === undefined ? {} : { overrides: rest }),
  }
}
