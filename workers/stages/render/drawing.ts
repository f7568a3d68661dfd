/** Lays out everything that is drawn of a composition with its fonts and pictures, for a clip or for a still of it. */
import { readFile } from 'node:fs/promises'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Composition } from '../../../server/contract/composition.ts'
import type { PictureLike } from '../../compositor/canvas.ts'
import { picturesOf, prepare, type Band } from '../../compositor/compositor.ts'
import { sourcePath } from '../../paths.ts'
import type { Pictures } from '../../compositor/layers/layer.ts'
import type { BandInput } from '../../media/arguments/render-picture.ts'
import { registerFontsFor } from '../../render-support/fonts.ts'
import { stageError, type StageContext } from '../context.ts'
import { countPictures } from './bands.ts'
import { drawGround, type Drawing } from './ground.ts'

/** `more`: pictures that are not stored, by their keys. Throws RENDER_FAILED when a picture is gone from the home. */
export async function prepareDrawing(
  context: StageContext,
  composition: Composition,
  more: Pictures = new Map(),
): Promise<Drawing> {
  const [fonts, pictures] = await Promise.all([
    registerFontsFor(composition, context.resources, context.sources),
    loadPictures(composition, context.sources),
  ])
  const measuring = createCanvas(2, 2).getContext('2d')
  return drawGround(context, composition, (part) =>
    prepare(part, measuring, fonts, new Map([...pictures, ...more])),
  )
}

/** The band as an input of the ffmpeg command. */
export function bandInputOf(band: Band): BandInput {
  return { ...band.box, shown: band.shown, pictures: countPictures(band), videosBelow: band.videosBelow }
}

/** Decodes each picture once. Throws RENDER_FAILED when one is gone from the home or cannot be read any more. */
async function loadPictures(
  composition: Composition,
  sources: string,
): Promise<ReadonlyMap<string, PictureLike>> {
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
