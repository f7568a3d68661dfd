/** Lays out everything that is drawn of a composition with its fonts and pictures, for a clip or for a still of it. */
import { access, readFile, writeFile, stat } from 'node:fs/promises'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Composition, Layer } from '../../../server/contract/composition.ts'
import type { PictureLike } from '../../compositor/canvas.ts'
import {
  picturesOf,
  prepare,
  type Band,
  drawFrame,
  type PreparedComposition,
  videoLayersOf,
} from '../../compositor/compositor.ts'
import { sourcePath } from '../../paths.ts'
import type { Pictures } from '../../compositor/layers/layer.ts'
import type { BandInput } from '../../media/arguments/render-picture.ts'
import { registerFontsFor } from '../../render-support/fonts.ts'
import { stageError, type StageContext } from '../context.ts'
import { countPictures } from './bands.ts'
import { findStillEnding } from './still-ending.ts'
import { join } from 'node:path'
import { transparentPicture, writeRegion } from './pure/yuva.ts'

export interface Drawing {
  /** What moves, or appears and disappears. */
  readonly prepared: PreparedComposition
  /** Path of one planar yuv420p frame of the output's size in the stage's temporary folder; null: there is none. */
  readonly groundFile: string | null
}

/**
 * Lays out the layers and paints those that never change. `more`: pictures that are not stored, by their keys. Throws RENDER_FAILED
 * when a picture is gone from the home.
 */
export async function prepareDrawing(
  context: StageContext,
  composition: Composition,
  more: Pictures = new Map(),
): Promise<Drawing> {
  const [fonts, stored] = await Promise.all([
    registerFontsFor(composition, context.resources, context.sources),
    loadPictures(composition, context.sources),
  ])
  const measuring = createCanvas(2, 2).getContext('2d')
  const pictures = new Map([...stored, ...more])
  const { ground, over } = splitGround(composition)
  const prepared = prepare(over, measuring, fonts, pictures)
  if (ground === null) return { prepared, groundFile: null }
  const still = prepare(ground, measuring, fonts, pictures)
  const groundFile = join(context.temporary, 'ground.yuv')
  await writeFile(groundFile, paint(still))
  return { prepared: { ...prepared, warnings: [...still.warnings, ...prepared.warnings] }, groundFile }
}

/** The same for a clip that is made to its end, and the first frame that is shown unchanged until then; null: there is none. */
export async function prepareClip(
  context: StageContext,
  composition: Composition,
): Promise<Drawing & { readonly restsFrom: number | null }> {
  const drawing = await prepareDrawing(context, composition)
  return { ...drawing, restsFrom: findStillEnding(composition, drawing.prepared) }
}

/** The band as an input of the ffmpeg command. */
export function bandInputOf(band: Band): BandInput {
  return { ...band.box, shown: band.shown, pictures: countPictures(band), videosBelow: band.videosBelow }
}

/** Decodes each picture once. Throws RENDER_FAILED when one is gone from the home or cannot be read any more. */
async function loadPictures(composition: Composition, sources: string) {
  const load = async (digest: string): Promise<readonly [string, PictureLike]> => {
    try {
      return [digest, await loadImage(await readFile(sourcePath(sources, digest)))]
    } catch (cause) {
      const message =
        'A picture of this clip is no longer in the home, or is damaged. Run the workflow again.'
      throw stageError('RENDER_FAILED', message, { details: { digest }, cause })
    }
  }
  return new Map(await Promise.all(picturesOf(composition).map(load)))
}

/** Over black, with the same conversion as bands, so that equal colours stay equal. */
function paint(still: PreparedComposition): Uint8Array {
  const { width, height } = still
  const canvas = createCanvas(width, height)
  const drawn = createCanvas(width, height)
  drawFrame(drawn.getContext('2d'), still, 0)
  const context = canvas.getContext('2d')
  context.fillStyle = '#000000'
  context.fillRect(0, 0, width, height)
  context.drawImage(drawn, 0, 0)
  const picture = transparentPicture(width, height)
  writeRegion(picture, context.getImageData(0, 0, width, height).data, { x: 0, y: 0, width, height })
  return picture.bytes.subarray(0, (width * height * 3) / 2)
}

/** Takes the lowest layers that are equal on every frame: painted once, they cost nothing per frame. */
export function splitGround(composition: Composition): { ground: Composition | null; over: Composition } {
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

/** Throws RENDER_FAILED when a file is gone from the home. */
export async function findVideos(composition: Composition, sources: string) {
  const digests = new Set(videoLayersOf(composition).map(({ asset }) => asset.digest))
  await Promise.all([...digests].map((digest) => requireFile(digest, sources)))
  return (digest: string) => sourcePath(sources, digest)
}

async function requireFile(digest: string, sources: string): Promise<void> {
  const message = 'A video of this clip is no longer in the home. Run the workflow again.'
  let size: number
  try {
    size = (await stat(sourcePath(sources, digest))).size
  } catch (cause) {
    throw stageError('RENDER_FAILED', message, { details: { digest }, cause })
  }
  if (size === 0) throw stageError('RENDER_FAILED', message, { details: { digest } })
}

/** In the order of `audio.tracks`. Throws RENDER_FAILED when one is gone from the home. */
export async function findTracks(composition: Composition, sources: string): Promise<string[]> {
  const find = async (digest: string): Promise<string> => {
    const file = sourcePath(sources, digest)
    try {
      await access(file)
    } catch (cause) {
      const message = 'A sound of this clip is no longer in the home. Run the workflow again.'
      throw stageError('RENDER_FAILED', message, { details: { digest }, cause })
    }
    return file
  }
  return Promise.all((composition.audio.tracks ?? []).map(({ asset }) => find(asset.digest)))
}
