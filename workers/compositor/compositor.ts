/**
 * The compositor: draws everything that is laid over the picture, one frame at a time, on any Canvas2D. PURE: it
 * imports the contract and nothing else, so Node (export) and the browser (preview) run the very same code.
 *
 *   const prepared = prepare(composition, measuringContext, fontTable, pictures, videos)   // layout, once
 *   for (const band of prepared.bands) ...                               // what has to be drawn where, and when
 *   stateAt(band, frame)                                                 // redraw only when this changes
 *   drawBand(context, band, frame)                                       // the context's origin is the band's corner
 */
import { rationalToNumber } from '../../server/contract/time.ts'
import type { Composition } from '../../server/contract/composition.ts'
import { SOURCE_FRAME } from '../../server/contract/composition-pictures.ts'
import { evenBox, intersectBox, unionBox, type Box } from './box.ts'
import { asDrawingContext, type AnyCanvasContext } from './canvas.ts'
import type { FontTable } from './font-table.ts'
import {
  joinRanges,
  type FrameRange,
  type LayoutContext,
  type Pictures,
  type PreparedLayer,
  type Videos,
} from './layers/layer.ts'
import { prepareLayer } from './layers/registry.ts'
import { videoLayersOf } from './video-place.ts'
import { warnTo, type RenderRemark } from '../../server/contract/render-remarks.ts'
import { settingOf } from './layer-setting.ts'

export { videoLayersOf } from './video-place.ts'

/** Raise it when the same composition would now be drawn differently: it is part of the render manifest. */
export const COMPOSITOR_VERSION = 2

type Size = Pick<Box, 'width' | 'height'>

/** A stretch of the picture that is drawn as one overlay: `box` is even and inside the output. */
export interface Band {
  readonly box: Box
  /** In painting order. */
  readonly layers: readonly PreparedLayer[]
  /** Frames on which something is shown. */
  readonly shown: readonly FrameRange[]
  /** How many of the composition's video layers (`videoLayersOf`) lie under it. */
  readonly videosBelow: number
}

export interface PreparedComposition {
  readonly width: number
  readonly height: number
  readonly durationFrames: number
  readonly layers: readonly PreparedLayer[]
  /** Lowest first: overlay them in this order, each video layer under the bands that lie over it. */
  readonly bands: readonly Band[]
  readonly warnings: readonly RenderRemark[]
}

/** The digests of the pictures that a composition's layers draw; the caller decodes them for `prepare`. */
export function picturesOf(composition: Composition): string[] {
  const digests = composition.layers.flatMap((layer) =>
    layer.kind === 'image' && layer.asset.digest !== SOURCE_FRAME ? [layer.asset.digest] : [],
  )
  return [...new Set(digests)]
}

/**
 * Lays out every layer. `measuring` is any context with the fonts registered; nothing is drawn on it. A picture that is
 * missing from `pictures` is omitted with a warning. With `videos`, video layers are drawn by `drawFrame`; without, the
 * caller composites the videos between the bands.
 */
export function prepare(
  composition: Composition,
  measuring: AnyCanvasContext,
  fonts: FontTable,
  pictures: Pictures = new Map(),
  videos: Videos | null = null,
): PreparedComposition {
  const { width, height, frameRate } = composition.output
  const warnings: RenderRemark[] = []
  const context: Omit<LayoutContext, 'setting'> = {
    canvas: asDrawingContext(measuring),
    fonts,
    pictures,
    videos,
    width,
    height,
    unit: Math.min(width, height) / 1080,
    framesPerSecond: rationalToNumber(frameRate),
    frameRate,
    durationFrames: composition.durationFrames,
    warn: warnTo(warnings),
  }
  const layers = composition.layers.map((layer) =>
    prepareLayer(layer, { ...context, setting: settingOf(layer.id) }),
  )
  const shownVideos = videoLayersOf(composition)
  let videosBelow = 0
  const single = composition.layers.flatMap((layer, index) => {
    if (layer.kind === 'video') videosBelow += shownVideos.includes(layer) ? 1 : 0
    const own = layers[index]
    const band = own === undefined ? null : bandOf([own], videosBelow, { width, height })
    return band === null ? [] : [band]
  })
  return {
    width,
    height,
    durationFrames: composition.durationFrames,
    layers,
    bands: mergeWhereSmaller(single, { width, height }),
    warnings,
  }
}

function bandOf(layers: readonly PreparedLayer[], videosBelow: number, output: Size): Band | null {
  const box = layers.reduce<Box | null>((whole, layer) => unionBox(whole, layer.box), null)
  const even = box === null ? null : evenBox(box, output.width, output.height)
  const shown = joinRanges(layers.flatMap((layer) => layer.shown))
  return even === null || shown.length === 0 ? null : { box: even, layers, shown, videosBelow }
}

/** Pixels that ffmpeg has to blend: the band's area over the frames from its first to its last. */
function cost(band: Band): number {
  const frames = (band.shown.at(-1)?.endFrame ?? 0) - (band.shown[0]?.startFrame ?? 0)
  return band.box.width * band.box.height * frames
}

/** Never across a video layer: what is under it must not come over it. */
function mergeWhereSmaller(bands: readonly Band[], output: Size): Band[] {
  const merged: Band[] = []
  for (const band of bands) {
    const last = merged.at(-1)
    const { videosBelow } = band
    const joint =
      last?.videosBelow === videosBelow ? bandOf([...last.layers, ...band.layers], videosBelow, output) : null
    if (last !== undefined && joint !== null && cost(joint) <= cost(last) + cost(band)) {
      merged[merged.length - 1] = joint
    } else merged.push(band)
  }
  return merged
}

/** A key that changes only when the band's picture changes; '' when nothing is shown. */
export function stateAt(band: Band, frame: number): string {
  const states = band.layers.map((layer) => layer.stateAt(frame))
  return states.every((state) => state === '') ? '' : states.join('\n')
}

/** The part of the band that may differ between two frames, in its coordinates, even; null: both look the same. */
export function damageBetween(band: Band, from: number, to: number): Box | null {
  const box = band.layers.reduce<Box | null>((whole, layer) => unionBox(whole, layer.damage(from, to)), null)
  return box === null ? null : insideBand(band, box)
}

/** The part of the band that is painted at this frame, in band coordinates, even; null when nothing is. */
export function paintedAt(band: Band, frame: number): Box | null {
  const box = band.layers.reduce<Box | null>((whole, layer) => unionBox(whole, layer.paintedAt(frame)), null)
  return box === null ? null : insideBand(band, box)
}

function insideBand(band: Band, box: Box): Box | null {
  const inside = intersectBox(box, band.box)
  if (inside === null) return null
  const local = { ...inside, x: inside.x - band.box.x, y: inside.y - band.box.y }
  return evenBox(local, band.box.width, band.box.height)
}

/** The context's origin is the band's corner. Only `region` (band coordinates, default: all) is cleared and painted. */
export function drawBand(target: AnyCanvasContext, band: Band, frame: number, region?: Box): void {
  const canvas = asDrawingContext(target)
  const area = region ?? { x: 0, y: 0, width: band.box.width, height: band.box.height }
  canvas.save()
  canvas.beginPath()
  canvas.rect(area.x, area.y, area.width, area.height)
  canvas.clip()
  canvas.clearRect(area.x, area.y, area.width, area.height)
  canvas.translate(-band.box.x, -band.box.y)
  for (const layer of band.layers) layer.draw(canvas, frame)
  canvas.restore()
}

/** Draws all layers at `frame` on a canvas of the output's size: what the studio's preview shows over the video. */
export function drawFrame(target: AnyCanvasContext, prepared: PreparedComposition, frame: number): void {
  const canvas = asDrawingContext(target)
  canvas.clearRect(0, 0, prepared.width, prepared.height)
  for (const layer of prepared.layers) layer.draw(canvas, frame)
}
