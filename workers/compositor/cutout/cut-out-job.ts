/**
 * What has to be known to cut a person out of a picture, without the code that does it: layers, previews and the
 * render stage read this file, and load `cut-out.ts` only when a thumbnail shows a person.
 */
import type { ImageLayer, Layer, Rect } from '../../../server/contract/composition.ts'
import { SOURCE_FRAME } from '../../../server/contract/composition-pictures.ts'
import type { PictureLike } from '../canvas.ts'

type Size = PictureLike

/** One cut-out: which pixels it needs and what to make of them. Plain values, so that it can be sent to another thread. */
export interface CutOutJob {
  /** The area of the picture that is analysed, in pixels of the picture. */
  readonly region: Rect
  /** The area of the picture that is shown, in pixels of the picture. */
  readonly part: Rect
  /** Size in pixels to which the region is scaled before it is analysed. */
  readonly work: Size
  /** Size in pixels in which the part is drawn. */
  readonly size: Size
  /** Pixels added on each side of the part to make space for the ring. */
  readonly margin: number
  readonly ring: { readonly colour: string; readonly width: number } | null
  /** The shown part, in pixels of the scaled region; so are the faces. */
  readonly box: Rect
  readonly faces: readonly Rect[]
  readonly others: readonly Rect[]
  readonly bias: number
}

/** Analysing more pixels did not find hair any better, and takes longer. */
const MAX_ANALYSED_PIXELS = 40_000
/** Shares of the box's size that are analysed beside, above and below it, to learn the colours of the background. */
const AROUND = { side: 0.35, above: 0.3, below: 0.1 } as const
const MAX_SIDE = 1920

/** The key under which the finished cut-out of a layer is found among pictures, in place of an asset's digest. */
export const cutOutDigest = (layer: Pick<ImageLayer, 'id'>): string => `${SOURCE_FRAME} ${layer.id}`

/** The warning where no outline is found. */
export const NO_OUTLINE =
  'Nobody stands out clearly enough from what is behind them, so the cut-out stays an ellipse; try another frame, or more of the frame around the person.'

/** Layers whose picture is cut along the outline of a person. */
export const cutOutLayers = (layers: readonly Layer[]): ImageLayer[] =>
  layers.filter(
    (layer): layer is ImageLayer =>
      layer.kind === 'image' && layer.person !== undefined && layer.asset.digest === SOURCE_FRAME,
  )

/** Size of a layer's cut-out, width of its ring and margin for it, in pixels. `unit`: pixels per reference unit. */
export function cutOutSize({ rect, ring }: Pick<ImageLayer, 'rect' | 'ring'>, unit: number) {
  const scale = unit * Math.min(1, MAX_SIDE / (Math.max(rect.width, rect.height) * unit))
  const size = {
    width: Math.max(1, Math.round(rect.width * scale)),
    height: Math.max(1, Math.round(rect.height * scale)),
  }
  const width = ring === undefined ? 0 : ring.width * scale
  return { ...size, ring: width, margin: width > 0 ? Math.ceil(width) + 2 : 0 }
}

/** `picture`: size of the source's picture as the caller has it, which need not be its full size. */
export function cutOutJob(layer: ImageLayer, picture: Size, unit: number): CutOutJob {
  const { asset, person } = layer
  const across = picture.width / asset.width
  const down = picture.height / asset.height
  const shown = layer.part ?? { x: 0, y: 0, width: asset.width, height: asset.height }
  const part = scaled(shown, across, down)
  const region = regionAround(part, picture)
  const zoom = Math.min(1, Math.sqrt(MAX_ANALYSED_PIXELS / (region.width * region.height)))
  const work = {
    width: Math.max(8, Math.round(region.width * zoom)),
    height: Math.max(8, Math.round(region.height * zoom)),
  }
  const inWork = (rect: Rect): Rect =>
    scaled(
      { ...rect, x: rect.x - region.x, y: rect.y - region.y },
      work.width / region.width,
      work.height / region.height,
    )
  const { ring, margin, ...size } = cutOutSize(layer, unit)
  const seen = (faces: readonly Rect[] = []) => faces.map((face) => inWork(scaled(face, across, down)))
  return {
    region,
    part,
    work,
    size,
    margin,
    ring: layer.ring === undefined || ring === 0 ? null : { colour: layer.ring.colour, width: ring },
    box: inWork(part),
    faces: seen(person?.faces),
    others: seen(person?.others),
    bias: person?.bias ?? 0,
  }
}

const scaled = (rect: Rect, across: number, down: number): Rect => ({
  x: rect.x * across,
  y: rect.y * down,
  width: rect.width * across,
  height: rect.height * down,
})

function regionAround(part: Rect, picture: Size): Rect {
  const left = Math.max(0, Math.floor(part.x - AROUND.side * part.width))
  const top = Math.max(0, Math.floor(part.y - AROUND.above * part.height))
  const right = Math.min(picture.width, Math.ceil(part.x + (1 + AROUND.side) * part.width))
  const bottom = Math.min(picture.height, Math.ceil(part.y + (1 + AROUND.below) * part.height))
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}
