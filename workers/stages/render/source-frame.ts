/** The source's whole picture at a moment, from which a thumbnail's cut-outs are cut. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas, ImageData, loadImage, type Canvas } from '@napi-rs/canvas'
import type { Rect } from '../../../server/contract/composition.ts'
import { SOURCE_FRAME } from '../../../server/contract/composition-pictures.ts'
import type { PictureLike } from '../../compositor/canvas.ts'
import { cutOutDigest, cutOutJob, cutOutLayers, NO_OUTLINE } from '../../compositor/cutout/cut-out-job.ts'
import type { Pixels } from '../../compositor/cutout/pixels.ts'
import type { Moment } from '../../media/arguments/render-moment.ts'
import type { StageContext } from '../context.ts'

/** Writes the picture of a moment to a file; its composition has no layer that needs a source frame itself. */
type Take = (moment: Moment, file: string) => Promise<void>

export interface SourceFrame {
  /** The frame and the cut-outs, by the keys that stand for their digests. */
  readonly pictures: ReadonlyMap<string, PictureLike>
  /** Sentences about people who could not be cut out. */
  readonly warnings: readonly string[]
}

/** No pictures where no layer shows the source's frame. Throws what `take` throws. */
export async function loadSourceFrame(
  context: StageContext,
  moment: Moment,
  take: Take,
): Promise<SourceFrame> {
  const { layers } = moment.composition
  if (!layers.some((layer) => layer.kind === 'image' && layer.asset.digest === SOURCE_FRAME))
    return { pictures: new Map(), warnings: [] }
  const file = join(context.temporary, 'source-frame.png')
  try {
    await take(wholeSource(moment), file)
    return await withCutOuts(moment, await loadImage(await readFile(file)))
  } finally {
    await rm(file, { force: true })
  }
}

async function withCutOuts({ composition }: Moment, frame: Picture): Promise<SourceFrame> {
  const { layers, output } = composition
  const unit = Math.min(output.width, output.height) / 1080
  const pictures = new Map<string, PictureLike>([[SOURCE_FRAME, frame]])
  const withPerson = cutOutLayers(layers)
  if (withPerson.length === 0) return { pictures, warnings: [] }
  const { cutOut } = await import('../../compositor/cutout/cut-out.ts')
  let warnings: readonly string[] = []
  for (const layer of withPerson) {
    const job = cutOutJob(layer, frame, unit)
    const cut = cutOut(job, pixelsOf(frame, job.region, job.work), pixelsOf(frame, job.part, job.size))
    if (cut === null) warnings = [NO_OUTLINE]
    else {
      const canvas = createCanvas(cut.width, cut.height)
      canvas.getContext('2d').putImageData(new ImageData(cut.data, cut.width, cut.height), 0, 0)
      pictures.set(cutOutDigest(layer), canvas)
    }
  }
  return { pictures, warnings }
}

type Picture = Awaited<ReturnType<typeof loadImage>> | Canvas

/** A rectangle of the picture in another size. */
function pixelsOf(picture: Picture, from: Rect, { width, height }: PictureLike): Pixels {
  const context = createCanvas(width, height).getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, from.x, from.y, from.width, from.height, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}

const even = (length: number): number => Math.max(2, 2 * Math.floor(length / 2))

/** The same moment without layers, in the size and shape of the source. */
function wholeSource({ composition, ...moment }: Moment): Moment {
  const { source, output, zooms: _zooms, ...rest } = composition
  const { width, height } = source
  return {
    ...moment,
    composition: {
      ...rest,
      source,
      layers: [],
      output: { ...output, width: even(width), height: even(height) },
      layout: [
        {
          kind: 'fit',
          startFrame: 0,
          endFrame: 1,
          zoom: 1,
          background: 'black',
          crop: { x: 0, y: 0, width, height },
        },
      ],
    },
  }
}
