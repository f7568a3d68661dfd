/** Lays out everything that is drawn of a composition with its fonts and pictures, for a clip or for a still of it. */
import { createCanvas } from '@napi-rs/canvas'
import type { Composition } from '../../../server/contract/composition.ts'
import { prepare, type Band } from '../../compositor/compositor.ts'
import type { Pictures } from '../../compositor/layers/layer.ts'
import type { BandInput } from '../../media/arguments/render-picture.ts'
import { registerFontsFor } from '../../render-support/fonts.ts'
import type { StageContext } from '../context.ts'
import { countPictures } from './bands.ts'
import { drawGround, type Drawing } from './ground.ts'
import { loadPictures } from './pictures.ts'

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
