/** Draws a frame as the export does, and measures how far a browser's picture is from it. */
import { join } from 'node:path'
import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas'
import type { Composition } from '../../../server/contract/composition.ts'
import { drawFrame, prepare, type PreparedComposition } from '../../../workers/compositor/compositor.ts'
import type { Pictures } from '../../../workers/compositor/layers/layer.ts'
import { unionBox, type Box } from '../../../workers/compositor/box.ts'
import { useExactText } from '../../../workers/render-support/exact-text.ts'
import { registerFontsFor } from '../../../workers/render-support/fonts.ts'
import { compare } from '../../golden/draw.ts'

export const GROUND = '#6f7d87'
const RESOURCES = join(import.meta.dirname, '..', '..', '..', 'resources')

export interface Exported {
  readonly prepared: PreparedComposition
  /** The frame over `GROUND`. */
  readonly frame: (frame: number) => Canvas
  /** What is painted at the frame; null when nothing is. */
  readonly painted: (frame: number) => Box | null
}

export async function exported(composition: Composition, pictures: Pictures): Promise<Exported> {
  const fonts = await registerFontsFor(composition, RESOURCES, null)
  const prepared = prepare(composition, createCanvas(2, 2).getContext('2d'), fonts, pictures)
  const { width, height } = prepared
  return {
    prepared,
    frame: (frame) => {
      const drawn = createCanvas(width, height)
      drawFrame(useExactText(drawn.getContext('2d')), prepared, frame)
      const flat = createCanvas(width, height)
      const context = flat.getContext('2d')
      context.fillStyle = GROUND
      context.fillRect(0, 0, width, height)
      context.drawImage(drawn, 0, 0)
      return flat
    },
    painted: (frame) =>
      prepared.layers.map((layer) => layer.paintedAt(frame)).reduce<Box | null>(unionBox, null),
  }
}

/** From the data address of a PNG. */
export async function pictureOf(address: string): Promise<Canvas> {
  const image = await loadImage(Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'))
  const canvas = createCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  return canvas
}

/** A part of the picture, at least 16 pixels wide and high. */
export function cut(picture: Canvas, { x, y, width, height }: Box): Canvas {
  const left = Math.max(0, Math.floor(x))
  const top = Math.max(0, Math.floor(y))
  const right = Math.ceil(x + width)
  const bottom = Math.ceil(y + height)
  const part = createCanvas(
    Math.max(16, Math.min(picture.width, right) - left),
    Math.max(16, Math.min(picture.height, bottom) - top),
  )
  part.getContext('2d').drawImage(picture, -left, -top)
  return part
}

export interface Distance {
  /** Structural similarity of luma: mean, and of the worst 8x8 window. */
  readonly mean: number
  readonly worst: number
  /** Mean difference of all channels, 0 to 255. */
  readonly difference: number
  /** Largest difference of any channel of any pixel. */
  readonly largest: number
  /** Share of pixels that differ by more than 32 in some channel. */
  readonly seen: number
}

export function distance(a: Canvas, b: Canvas): Distance {
  const [left, right] = [a, b].map((one) => one.getContext('2d').getImageData(0, 0, a.width, a.height).data)
  let largest = 0
  let seen = 0
  for (let at = 0; at < a.width * a.height * 4; at += 4) {
    let most = 0
    for (let channel = 0; channel < 3; channel++) {
      most = Math.max(most, Math.abs((left?.[at + channel] ?? 0) - (right?.[at + channel] ?? 0)))
    }
    largest = Math.max(largest, most)
    if (most > 32) seen += 1
  }
  return { ...compare(a, b), largest, seen: seen / (a.width * a.height) }
}
