/**
 * A person cut out of a picture: from the layer that shows it, to the picture that is drawn for it. The export and the
 * studio's preview both come here, with the pixels that they have of the same moment.
 *
 *   const job = cutOutJob(layer, picture, unit)
 *   // draw `job.region` of the picture as `job.work`, and the layer's part as `job.size`, and read their pixels
 *   const cut = cutOut(job, work, large)       // null: nothing stands out
 */
import type { ImageLayer, Layer, Rect } from '../../../server/contract/composition.ts'
import { SOURCE_FRAME } from '../../../server/contract/source-frame.ts'
import type { PictureLike } from '../canvas.ts'
import { parseColour, WHITE } from '../colour.ts'
import { ownColours } from './own-colours.ts'
import { followColours, matteOf } from './matte.ts'
import { personPrior } from './person-prior.ts'
import type { Mask, Pixels } from './pixels.ts'
import { distanceTo } from './ring.ts'
import { segmentPerson } from './segment.ts'
import { standsOut } from './stands-out.ts'
import { tidy } from './tidy.ts'

type Size = PictureLike

/** What has to be drawn and known for one cut-out. Plain values: it may be sent to another thread. */
export interface CutOutJob {
  /** Of the picture, in its pixels: what is looked at, and the part of it that is shown. */
  readonly region: Rect
  readonly part: Rect
  /** The region as it is looked at, and the part as it is shown; pixels. */
  readonly work: Size
  readonly size: Size
  /** Pixels around the shown part that the ring takes. */
  readonly margin: number
  readonly ring: { readonly colour: string; readonly width: number } | null
  /** In pixels of the region as it is looked at. */
  readonly box: Rect
  readonly faces: readonly Rect[]
  readonly others: readonly Rect[]
  readonly bias: number
}

/** Pixels that are looked at: more find hair no better, and take longer. */
const LOOKED_AT = 40_000
/** Of the box's own size: what is looked at beside, above and below it, to know what is around the person. */
const AROUND = { side: 0.35, above: 0.3, below: 0.1 } as const
const MAX_SIDE = 1920

/** Stands for a digest: the finished cut-out of a layer. */
export const cutOutDigest = (layer: Pick<ImageLayer, 'id'>): string => `${SOURCE_FRAME} ${layer.id}`

/** Said where nothing stands out: what is shown then. */
export const NO_OUTLINE =
  'Nobody stands out clearly enough from what is behind them, so the cut-out stays an ellipse; try another frame, or more of the frame around the person.'

/** Layers whose picture is cut along the outline of a person. */
export const cutOutLayers = (layers: readonly Layer[]): ImageLayer[] =>
  layers.filter(
    (layer): layer is ImageLayer =>
      layer.kind === 'image' && layer.person !== undefined && layer.asset.digest === SOURCE_FRAME,
  )

/** Pixels of a layer's cut-out, and how much more there is to each side for its ring. `unit`: output pixels per reference unit. */
export function cutOutSize({ rect, ring }: Pick<ImageLayer, 'rect' | 'ring'>, unit: number) {
  const scale = unit * Math.min(1, MAX_SIDE / (Math.max(rect.width, rect.height) * unit))
  const size = {
    width: Math.max(1, Math.round(rect.width * scale)),
    height: Math.max(1, Math.round(rect.height * scale)),
  }
  const width = ring === undefined ? 0 : ring.width * scale
  return { ...size, ring: width, margin: width > 0 ? Math.ceil(width) + 2 : 0 }
}

/** `picture`: the source's own, in whatever size it is there. */
export function cutOutJob(layer: ImageLayer, picture: Size, unit: number): CutOutJob {
  const { asset, person } = layer
  const across = picture.width / asset.width
  const down = picture.height / asset.height
  const shown = layer.part ?? { x: 0, y: 0, width: asset.width, height: asset.height }
  const part = scaled(shown, across, down)
  const region = regionAround(part, picture)
  const zoom = Math.min(1, Math.sqrt(LOOKED_AT / (region.width * region.height)))
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
  const seen = (faces: readonly Rect[] = []): Rect[] =>
    faces.map((face) => inWork(scaled(face, across, down)))
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

/**
 * The person with a soft edge, in the ring if there is one: of the job's size and its margin to each side. Null where nothing
 * stands out from what is around it.
 */
export function cutOut(job: CutOutJob, work: Pixels, large: Pixels): Pixels | null {
  const person = personIn(job, work)
  if (person === null) return null
  const { box } = job
  const matte = matteOf(followColours(work, person), box, large)
  return painted(job, ownColours(large, matte), matte)
}

/** 1 for each pixel of the person in the region as it is looked at; null where nothing stands out. */
export function personIn(job: CutOutJob, work: Pixels): Uint8Array | null {
  const { width, height } = work
  const { box, faces, others, bias } = job
  const prior = personPrior({ width, height, box, faces, others })
  const person = segmentPerson(work, prior, bias)
  tidy(person, prior.fixed, width, height)
  tidyWithin(box, person, prior.fixed, width)
  return standsOut(work, person, box) ? person : null
}

/** What hangs together around the box alone does not within it. */
function tidyWithin(box: Rect, person: Uint8Array, fixed: Uint8Array, width: number): void {
  const isInside = (at: number): boolean => {
    const x = (at % width) + 0.5 - box.x
    const y = Math.floor(at / width) + 0.5 - box.y
    return x >= 0 && y >= 0 && x <= box.width && y <= box.height
  }
  const within = person.map((one, at) => (isInside(at) ? one : 0))
  tidy(within, fixed, width, person.length / width)
  for (let at = 0; at < person.length; at++) if (isInside(at)) person[at] = within[at]!
}

function painted({ ring, margin }: CutOutJob, colours: Pixels, matte: Mask): Pixels {
  const { width, height } = matte
  const wide = width + 2 * margin
  const high = height + 2 * margin
  const data = new Uint8ClampedArray(wide * high * 4)
  const form = new Float32Array(wide * high)
  for (let y = 0; y < height; y++)
    form.set(matte.data.subarray(y * width, (y + 1) * width), (y + margin) * wide + margin)
  const away = ring === null ? null : distanceTo(form, wide, high)
  const paint = parseColour(ring?.colour ?? '') ?? WHITE
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const at = y * wide + x
      const own = form[at]!
      const around =
        away === null || ring === null ? 0 : Math.min(1, Math.max(0, ring.width + 0.5 - away[at]!))
      const under = around * paint.alpha * (1 - own)
      const opacity = own + under
      if (opacity <= 0) continue
      const from = ((y - margin) * width + x - margin) * 4
      const mix = (channel: number, ringed: number): number =>
        ((own === 0 ? 0 : own * colours.data[from + channel]!) + under * ringed) / opacity
      data[at * 4] = mix(0, paint.red)
      data[at * 4 + 1] = mix(1, paint.green)
      data[at * 4 + 2] = mix(2, paint.blue)
      data[at * 4 + 3] = opacity * 255
    }
  return { width: wide, height: high, data }
}
