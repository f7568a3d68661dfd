/** Compares a few moments of the source, and takes the best one as the render would show it. */
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Composition, Rect } from '../../../server/contract/composition.ts'
import { AppError } from '../../../server/contract/errors.ts'
import type { ThumbnailPlan } from '../../../server/contract/thumbnail.ts'
import { secondsToTicks } from '../../../server/contract/time.ts'
import { buildMoment, type Moment } from '../../media/arguments/render-moment.ts'
import { looksArguments } from '../../media/arguments/thumbnail.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import { takeStill } from '../render/still.ts'
import { stageError, type StageContext, type StageHandler } from '../context.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

const GREY_WIDTH = 240
const COMPARED = 0.6
const NAME = 'thumbnail'

/** Fails with STAGE_FAILED when there is no picture in the stretch. */
export const runThumbnail: StageHandler<'thumbnail'> = async (context, params) => {
  const { composition, moments } = params
  const file = `${NAME}.${params.png === true ? 'png' : 'jpg'}`
  const places = moments.map(({ frame }) => buildMoment(composition, frame))
  // A moment that is named needs no comparison.
  const pictures =
    composition.source.hasVideo && moments.length > 1 ? await readStills(context, params, places) : null
  context.progress(COMPARED)
  const { width, height } = composition.output
  let failure: unknown
  for (const index of rankStills(
    moments.map(({ worth }) => worth),
    pictures,
  )) {
    const place = places[index]
    const frame = moments[index]?.frame
    if (place === undefined || frame === undefined) continue
    try {
      const warnings = await takeStill(context, place, join(context.folder, file))
      return {
        file,
        frame,
        at: secondsToTicks(place.seconds),
        width,
        height,
        ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
      }
    } catch (error) {
      // The exact moment may have no picture although one was found near it; then the next best one is taken.
      if (!(error instanceof AppError) || error.code !== 'STAGE_FAILED') throw error
      failure ??= error
    }
  }
  const message = 'There is no picture in this part of the source to take a thumbnail from.'
  throw stageError('STAGE_FAILED', message, omitUndefined({ cause: failure }))
}

/** The source at these moments, small and grey; null where there is no picture. */
async function readStills(context: StageContext, { composition }: ThumbnailPlan, places: readonly Moment[]) {
  const { output, source } = composition
  const grey = {
    width: GREY_WIDTH,
    height: Math.max(2, Math.round((GREY_WIDTH * output.height) / output.width)),
  }
  const pictures: (GreyPicture | null)[] = places.map(() => null)
  const args = looksArguments({
    ...source,
    path: context.input('source'),
    rate: output.frameRate,
    looks: places.map((place) => ({ seconds: place.seconds, crop: visibleArea(place.composition) })),
    grey,
  })
  await runFfmpeg(context, args, {
    timeoutSeconds: 300,
    outputs: places.map((_, index) => async (pipe: Readable) => {
      const pixels = await readAll(pipe)
      if (pixels.length === grey.width * grey.height) pictures[index] = { ...grey, pixels }
    }),
  })
  return pictures
}

async function readAll(pipe: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of pipe) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** For a composition of one frame: the visible area of the source, or the largest of several. Display pixels. */
function visibleArea({ layout, source }: Pick<Composition, 'layout' | 'source'>): Rect {
  const [span] = layout
  if (span === undefined) return { x: 0, y: 0, width: source.width, height: source.height }
  if (span.kind !== 'panes') return span.crop
  const area = ({ rect }: (typeof span.panes)[number]): number => rect.width * rect.height
  const [largest] = span.panes.toSorted((a, b) => area(b) - area(a))
  return largest?.crop ?? { x: 0, y: 0, width: source.width, height: source.height }
}

export interface GreyPicture {
  readonly width: number
  readonly height: number
  /** One byte per pixel, rows from the top. */
  readonly pixels: Uint8Array
}

/** Scores one picture. Sharpness counts by its logarithm, so that good light can outweigh a little more detail. */
export function scoreStill(picture: GreyPicture) {
  const { width, height, pixels } = picture
  let sum = 0
  let clipped = 0
  let edges = 0
  let edgeSquares = 0
  let edgeCount = 0
  for (let index = 0; index < width * height; index++) {
    const value = pixels[index] ?? 0
    sum += value
    if (value < 12 || value > 245) clipped++
  }
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x
      const around =
        (pixels[at - 1] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at - width] ?? 0) + (pixels[at + width] ?? 0)
      const laplacian = around - 4 * (pixels[at] ?? 0)
      edges += laplacian
      edgeSquares += laplacian * laplacian
      edgeCount++
    }
  }
  const area = Math.max(1, width * height)
  const mean = edges / Math.max(1, edgeCount)
  // The variance of the Laplacian: high for crisp edges, low for blurred and flat pictures.
  const sharpness = Math.max(0, edgeSquares / Math.max(1, edgeCount) - mean * mean)
  const brightness = sum / area
  const score = Math.log1p(sharpness) * lightFactor(brightness) * (1 - 0.5 * (clipped / area))
  return { sharpness, brightness, clipped: clipped / area, score }
}

/** Indexes of the moments, best first, by `worth` and looks. Those without a picture (null) are left out. */
export function rankStills(
  worth: readonly number[],
  pictures: readonly (GreyPicture | null)[] | null,
): number[] {
  return worth
    .flatMap((value, index) => {
      const picture = pictures === null ? undefined : pictures[index]
      if (pictures !== null && (picture === null || picture === undefined)) return []
      return [
        { index, score: value * (picture === null || picture === undefined ? 1 : scoreStill(picture).score) },
      ]
    })
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => index)
}

/** 1 for a normally lit picture (60 to 190), falling steeply towards black and white, so that fades and flashes lose. */
function lightFactor(brightness: number): number {
  const off = brightness < 60 ? (60 - brightness) / 60 : brightness > 190 ? (brightness - 190) / 65 : 0
  return Math.max(0.01, (1 - off) ** 2)
}
