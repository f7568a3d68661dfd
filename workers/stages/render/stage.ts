/**
 * The finished clip: measures the sound, draws captions and titles with the compositor, and makes the file in one
 * ffmpeg pass. What it leaves in its folder: clip.mp4, thumbnail.jpg, render-manifest.json.
 */
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { AppError } from '../../../server/contract/errors.ts'
import type { Composition } from '../../../server/contract/composition.ts'
import { rationalToNumber } from '../../../server/contract/time.ts'
import { COMPOSITOR_VERSION, prepare, type PreparedComposition } from '../../compositor/compositor.ts'
import { digestOf } from '../../artefacts.ts'
import { renderArguments } from '../../media/arguments/render.ts'
import { softwareEncoder } from '../../media/arguments/render-encoder.ts'
import { runTool } from '../../media/run-tool.ts'
import { registerFonts } from '../../render-support/fonts.ts'
import { stageError, type StageContext, type StageHandler } from '../context.ts'
import { countPictures, feedBand, type BandStatistics } from './bands.ts'
import { planLoudness } from './loudness.ts'
import { loadPictures } from './pictures.ts'
import { verifyRender } from './verify.ts'

const CLIP = 'clip.mp4'
const STILL = 'thumbnail.jpg'
const MANIFEST = 'render-manifest.json'
/** Shares of the progress bar. */
const MEASURED = 0.05
const RENDERED = 0.98
const STALL_SECONDS = 300

export const runRender: StageHandler<'render'> = async (context, params) => {
  const { composition } = params
  const started = performance.now()
  const warnings: string[] = []
  const warn = (message: string): void => {
    warnings.push(message)
    context.warn(message)
  }
  const sourceFile = context.input('source')
  context.progress(0, 'Measuring the sound')
  const [loudness, prepared, version] = await Promise.all([
    planLoudness(composition, sourceFile, { ffmpeg: context.tools.ffmpeg, signal: context.signal, warn }),
    prepareDrawing(context, composition),
    toolVersion(context),
  ])
  const measuredAt = performance.now()
  prepared.warnings.forEach(warn)

  const encoder = softwareEncoder(params.encoder, composition.output.frameRate)
  const statistics = prepared.bands.map((): BandStatistics => ({
    pictures: 0,
    bytes: 0,
    drawMilliseconds: 0,
  }))
  const args = renderArguments({
    composition,
    sourceFile,
    outputFile: join(context.folder, CLIP),
    stillFile: join(context.folder, STILL),
    encoder,
    bands: prepared.bands.map((band) => ({ ...band.box, shown: band.shown, pictures: countPictures(band) })),
    gain: loudness.gain,
  })
  await renderPass(context, composition, prepared, args, statistics)
  const renderedAt = performance.now()

  context.progress(RENDERED, 'Checking the file')
  const file = join(context.folder, CLIP)
  const finished = await verifyRender(file, composition, {
    ffprobe: context.tools.ffprobe,
    signal: context.signal,
  })
  const bytes = (await stat(file)).size
  const manifest = {
    formatVersion: 1,
    compositionSha256: digestOf(composition),
    sourceSha256: composition.source.digest,
    compositorVersion: COMPOSITOR_VERSION,
    tools: { ffmpeg: version },
    encoder: { name: encoder.name, arguments: encoder.arguments },
    loudness,
    bands: prepared.bands.map((band, index) => ({ ...band.box, ...statistics[index] })),
    output: { ...finished, bytes },
    milliseconds: {
      measure: Math.round(measuredAt - started),
      render: Math.round(renderedAt - measuredAt),
      check: Math.round(performance.now() - renderedAt),
    },
    warnings,
  }
  await writeFile(join(context.folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
  context.progress(1)
  return {
    file: CLIP,
    bytes,
    width: finished.width,
    height: finished.height,
    durationSeconds: finished.durationSeconds,
    thumbnailFile: STILL,
    encoder: encoder.name,
    manifestFile: MANIFEST,
    integratedLufs: loudness.expectedLufs,
  }
}

async function prepareDrawing(context: StageContext, composition: Composition): Promise<PreparedComposition> {
  const [fonts, pictures] = await Promise.all([
    registerFonts(context.resources),
    loadPictures(composition, context.sources),
  ])
  return prepare(composition, createCanvas(2, 2).getContext('2d'), fonts, pictures)
}

async function renderPass(
  context: StageContext,
  composition: Composition,
  prepared: PreparedComposition,
  args: readonly string[],
  statistics: readonly BandStatistics[],
): Promise<void> {
  const { frameRate } = composition.output
  const seconds = composition.durationFrames / rationalToNumber(frameRate)
  const inputs = prepared.bands.map((band, index) => {
    const own = statistics[index] ?? { pictures: 0, bytes: 0, drawMilliseconds: 0 }
    return (pipe: Parameters<typeof feedBand>[0]) => feedBand(pipe, band, frameRate, own)
  })
  try {
    await runTool({
      executable: context.tools.ffmpeg,
      args,
      signal: context.signal,
      inputs,
      onProgress: (written) => {
        const share = Math.min(1, written / seconds)
        context.progress(MEASURED + (RENDERED - MEASURED) * share, 'Rendering the clip')
      },
      stallSeconds: STALL_SECONDS,
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'STAGE_FAILED') throw error
    // This build of ffmpeg crashes when it is to hold a last picture and never got one.
    const why =
      error.details?.['signal'] === 'SIGSEGV'
        ? 'ffmpeg crashed; the source may have no picture in this stretch.'
        : error.message
    throw stageError('RENDER_FAILED', `The clip could not be rendered: ${why}`, {
      ...(error.details === undefined ? {} : { details: error.details }),
      cause: error,
    })
  }
}

const versions = new Map<string, Promise<string>>()

/** The first line of `ffmpeg -version`, asked once per process. */
function toolVersion(context: StageContext): Promise<string> {
  const { ffmpeg } = context.tools
  const known = versions.get(ffmpeg)
  if (known !== undefined) return known
  const asked = runTool({ executable: ffmpeg, args: ['-version'], timeoutSeconds: 30 }).then(
    ({ stdout }) => stdout.toString('utf8').split('\n')[0] ?? '',
  )
  versions.set(ffmpeg, asked)
  asked.catch(() => versions.delete(ffmpeg))
  return asked
}
