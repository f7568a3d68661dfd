/**
 * The studio's preview: everything that is drawn over a clip's picture, on a canvas of the page, by the very code that
 * draws it into the finished file (workers/compositor). test/e2e/preview.test.ts holds both against each other, pixel
 * by pixel.
 *
 *   const preview = await createPreview(canvas, composition, { pictureUrl, fontUrl })
 *   preview.drawAt(frame)      // as often as the video moves on; draws only what changed
 */
import type { Composition } from '../../server/contract/composition.ts'
import { drawFrame, picturesOf, prepare } from '../../workers/compositor/compositor.ts'
import { loadFonts, type FontAddresses } from './fonts.ts'

export interface PreviewFiles extends FontAddresses {
  /** Address of a picture that was fetched for the clip, by the SHA-256 of its file. */
  readonly pictureUrl: (digest: string) => string
}

export interface Preview {
  /** What could not be drawn as asked, in sentences. */
  readonly warnings: readonly string[]
  /** Draws the layers as they are on this output frame; transparent where there is none. */
  readonly drawAt: (frame: number) => void
  /** Frees the decoded pictures. The canvas keeps what was drawn last. */
  readonly close: () => void
}

/**
 * Loads fonts and pictures, lays the composition out and gives the canvas the output's size in pixels (its size on the
 * page is for CSS). Rejects when a font or a picture cannot be loaded.
 */
export async function createPreview(
  canvas: HTMLCanvasElement,
  composition: Composition,
  files: PreviewFiles,
): Promise<Preview> {
  const [pictures, fonts] = await Promise.all([
    loadPictures(composition, files.pictureUrl),
    loadFonts(composition, files),
  ])
  canvas.width = composition.output.width
  canvas.height = composition.output.height
  // Painted by the processor, as the export is: a graphics card smooths edges in its own way.
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('This browser has no 2D canvas.')
  // Letters at their exact places and widths; otherwise the browser moves them to whole pixels.
  context.textRendering = 'geometricPrecision'
  const prepared = prepare(composition, context, fonts, pictures)
  let shown: string | null = null
  return {
    warnings: prepared.warnings,
    drawAt: (frame) => {
      const state = prepared.layers.map((layer) => layer.stateAt(frame)).join('\n')
      if (state === shown) return
      shown = state
      drawFrame(context, prepared, frame)
    },
    close: () => {
      for (const picture of pictures.values()) picture.close()
    },
  }
}

async function loadPictures(
  composition: Composition,
  pictureUrl: PreviewFiles['pictureUrl'],
): Promise<ReadonlyMap<string, ImageBitmap>> {
  const load = async (digest: string): Promise<readonly [string, ImageBitmap]> => {
    const response = await fetch(pictureUrl(digest))
    if (!response.ok) throw new Error(`A picture of this clip could not be loaded (HTTP ${response.status}).`)
    return [digest, await createImageBitmap(await response.blob())]
  }
  return new Map(await Promise.all(picturesOf(composition).map(load)))
}
