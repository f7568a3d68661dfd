/** Writes one frame of a clip as a JPEG or PNG (by the file name), with the filters and bands of the clip. */
import { stat } from 'node:fs/promises'
import { stillArguments } from '../../media/arguments/render.ts'
import type { Moment } from '../../media/arguments/render-moment.ts'
import { detectDialect } from '../../media/dialect.ts'
import { toDiskFull } from '../../media/disk.ts'
import { runTool } from '../../media/run-tool.ts'
import { stageError, type StageContext } from '../context.ts'
import { feedBand } from './bands.ts'
import { bandInputOf, prepareDrawing } from './drawing.ts'
import { loadSourceFrame } from './source-frame.ts'
import { findVideos } from './videos.ts'

const TIMEOUT_SECONDS = 300

/**
 * Writes the picture to `file`, reading `source` from shortly before it. Returns warnings about cut-outs that failed; other warnings
 * about drawing come from the render. Throws STAGE_FAILED when the source has no picture there, RENDER_FAILED when a file of the
 * composition is gone, CANCELLED and DISK_FULL.
 */
export async function takeStill(
  context: StageContext<'source'>,
  moment: Moment,
  file: string,
): Promise<readonly string[]> {
  const { composition, plan } = moment
  const { pictures, warnings } = await loadSourceFrame(context, moment, async (of, to) => {
    await takeStill(context, of, to)
  })
  const [{ prepared, groundFile }, videoFile, dialect] = await Promise.all([
    prepareDrawing(context, composition, pictures),
    findVideos(composition, context.sources),
    detectDialect(context.tools.ffmpeg),
  ])
  const { frameRate } = composition.output
  const bands = prepared.bands.map(bandInputOf)
  const sourceFile = context.input('source')
  try {
    await runTool({
      executable: context.tools.ffmpeg,
      args: stillArguments({ composition, sourceFile, bands, videoFile, groundFile, dialect, file }, plan),
      signal: context.signal,
      timeoutSeconds: TIMEOUT_SECONDS,
      inputs: prepared.bands.map((band) => (pipe: Parameters<typeof feedBand>[0]) => {
        const statistics = { pictures: 0, bytes: 0, drawMilliseconds: 0 }
        return feedBand(pipe, band, frameRate, statistics, dialect.overlayLuma)
      }),
    })
  } catch (error) {
    throw toDiskFull(error)
  }
  // Some versions of ffmpeg write an empty file without a picture and report success.
  if ((await stat(file)).size === 0) throw stageError('STAGE_FAILED', 'The source has no picture there.')
  return warnings
}
