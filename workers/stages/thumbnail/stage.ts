/** Compares a few moments of the source, and takes the best one as the render would show it. */
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Composition, Rect } from '../../../server/contract/composition.ts'
import { AppError } from '../../../server/contract/errors.ts'
import type { ThumbnailPlan } from '../../../server/contract/thumbnail.ts'
import { secondsToTicks } from '../../../server/contract/time.ts'
import { buildMoment, type Moment } from '../../media/arguments/render-moment.ts'
import { looksArguments } from '../../media/arguments/thumbnail.ts'
import { runTool } from '../../media/run-tool.ts'
import { takeStill } from '../render/still.ts'
import { stageError, type StageContext, type StageHandler } from '../context.ts'
import { rankStills, type GreyPicture } from './pure/still-score.ts'
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
async function readStills(
  context: StageContext,
  { composition }: ThumbnailPlan,
  places: readonly Moment[],
): Promise<(GreyPicture | null)[]> {
  const { output, source } = composition
  const grey = {
    width: GREY_WIDTH,
    height: Math.max(2, Math.round((GREY_WIDTH * output.height) / output.width)),
  }
  const pictures: (GreyPicture | null)[] = places.map(() => null)
  await runTool({
    executable: context.tools.ffmpeg,
    args: looksArguments({
      path: context.input('source'),
      videoStream: source.videoStream,
      seeksLoosely: source.seeksLoosely,
      pictureEnd: source.pictureEnd,
      rate: output.frameRate,
      looks: places.map((place) => ({ seconds: place.seconds, crop: visibleArea(place.composition) })),
      grey,
    }),
    signal: context.signal,
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
