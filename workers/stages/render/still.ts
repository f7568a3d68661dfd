/** Writes one frame of a clip as a JPEG or PNG (by the file name), with the filters and bands of the clip. */
import { stat, readFile, rm } from 'node:fs/promises'
import { stillArguments } from '../../media/arguments/render.ts'
import type { Moment } from '../../media/arguments/render-moment.ts'
import { detectDialect } from '../../media/dialect.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import { stageError, type StageContext } from '../context.ts'
import { feedBand } from './bands.ts'
import { bandInputOf, prepareDrawing, findVideos } from './drawing.ts'
import { join } from 'node:path'
import { createCanvas, ImageData, loadImage, type Canvas } from '@napi-rs/canvas'
import type { Rect } from '../../../server/contract/composition.ts'
import { SOURCE_FRAME } from '../../../server/contract/composition-pictures.ts'
import type { PictureLike } from '../../compositor/canvas.ts'
import { cutOutDigest, cutOutJob, cutOutLayers, NO_OUTLINE } from '../../compositor/cutout/cut-out-job.ts'
import type { Pixels } from '../../compositor/cutout/pixels.ts'

const TIMEOUT_SECONDS = 300

/** Writes the picture, and returns warnings about cut-outs. Throws STAGE_FAILED where the source has no picture. */
export async function takeStill(
  context: StageContext<'source'>,
  moment: Moment,
  file: string,
): Promise<readonly string[]> {
  const { composition, plan } = moment
  const { pictures, warnings } = await loadSourceFrame(context, moment)
  const [{ prepared, groundFile }, videoFile, dialect] = await Promise.all([
    prepareDrawing(context, composition, pictures),
    findVideos(composition, context.sources),
    detectDialect(context.tools.ffmpeg),
  ])
  const { frameRate } = composition.output
  const bands = prepared.bands.map(bandInputOf)
  const sourceFile = context.input('source')
  const args = stillArguments({ composition, sourceFile, bands, videoFile, groundFile, dialect, file }, plan)
  await runFfmpeg(context, args, {
    timeoutSeconds: TIMEOUT_SECONDS,
    inputs: prepared.bands.map((band) => (pipe: Parameters<typeof feedBand>[0]) => {
      const statistics = { pictures: 0, bytes: 0, drawMilliseconds: 0 }
      return feedBand(pipe, band, frameRate, statistics, { blending: dialect.blending })
    }),
  })
  // Some versions of ffmpeg write an empty file without a picture and report success.
  if ((await stat(file)).size === 0) throw stageError('STAGE_FAILED', 'The source has no picture there.')
  return warnings
}

interface SourceFrame {
  /** The frame and the cut-outs, by the keys that stand for their digests. */
  readonly pictures: ReadonlyMap<string, PictureLike>
  readonly warnings: readonly string[]
}

/** No pictures where no layer shows the source's frame. */
async function loadSourceFrame(context: StageContext<'source'>, moment: Moment): Promise<SourceFrame> {
  const { layers } = moment.composition
  if (!layers.some((layer) => layer.kind === 'image' && layer.asset.digest === SOURCE_FRAME))
    return { pictures: new Map(), warnings: [] }
  const file = join(context.temporary, 'source-frame.png')
  try {
    await takeStill(context, wholeSource(moment), file)
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
    const cut = cutOut(job, readPixels(frame, job.region, job.work), readPixels(frame, job.part, job.size))
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
function readPixels(picture: Picture, from: Rect, { width, height }: PictureLike): Pixels {
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
