/** A film, in one pass from the source: the render with another encoder, sound and container. */
import { join } from 'node:path'
import type { Composition } from '../../../server/contract/composition.ts'
import type { VideoDelivery } from '../../../server/contract/profiles/profile.ts'
import { warnTo, type RenderRemark, type Warn } from '../../../server/contract/render-remarks.ts'
import { rationalToNumber } from '../../../server/contract/time.ts'
import { exportFactsArguments } from '../../media/arguments/export.ts'
import { deliveredRate, filmEncoders, filmForm } from '../../media/arguments/export-forms.ts'
import { renderArguments } from '../../media/arguments/render.ts'
import { coloursOf } from '../../media/arguments/colour.ts'
import type { Dialect } from '../../media/arguments/dialect.ts'
import { detectDialect } from '../../media/dialect.ts'
import { readByFfprobe } from '../../media/run-tool.ts'
import { stageError, type StageContext } from '../context.ts'
import { bandInputOf, findTracks, findVideos, prepareClip } from '../render/drawing.ts'
import { DAMAGED, isDamageMessage, renderPass } from '../render/encode.ts'
import { afterCleaning, makeCleanSound } from '../render/clean.ts'
import { planLoudness } from '../render/loudness.ts'
import { EXACT, type GainPlan } from '../render/pure/gain.ts'
import type { Made, Work } from './maker.ts'

/** Throws RENDER_FAILED, CANCELLED or DISK_FULL. */
export async function makeFilm(given: StageContext<'source'>, work: Work<'video'>): Promise<Made> {
  const { composition, delivery } = work
  const warnings: RenderRemark[] = []
  const warn = warnTo(warnings)
  const sourceFile = given.input('source')
  const encoder = filmEncoders(composition.output, delivery).find(({ name }) => name === work.encoder)
  if (encoder === undefined) throw stageError('RENDER_FAILED', `${work.encoder} does not make this profile.`)
  const { ffmpeg } = given.tools
  const { hdr } = composition.output
  const detected = await detectDialect(ffmpeg)
  // Drawn pictures are laid over HDR by their straight alpha, whatever this build makes of multiplied ones.
  const dialect: Dialect = hdr === undefined ? detected : { ...detected, blending: { kind: 'straight' } }
  const [tracks, videoFile] = await Promise.all([
    findTracks(composition, given.sources),
    findVideos(composition, given.sources),
  ])
  const cleanFile = await makeCleanSound(given, composition, dialect)
  const context = afterCleaning(given, composition)
  const { folder, signal } = context
  const [loudness, { prepared, groundFile, restsFrom }] = await Promise.all([
    planLoudness(
      composition,
      { source: sourceFile, tracks, clean: cleanFile },
      { ffmpeg, dialect, folder: context.temporary, signal },
      EXACT,
    ),
    prepareClip(context, composition),
  ])
  if (loudness.silent) warn(null, null, 'The clip is silent, so its loudness was not adjusted.')
  warnOfLoudness(loudness, composition, warn)
  if (composition.source.hdr && hdr === undefined)
    warn(null, null, 'The source is HDR; this file is not (BT.709).')
  prepared.warnings.forEach(({ code, field, message }) => warn(code, field, message))
  const file = `clip.${delivery.container}`
  const outputFile = join(folder, file)
  const args = renderArguments({
    composition,
    sourceFile,
    bands: prepared.bands.map(bandInputOf),
    videoFile,
    groundFile,
    restsFrom,
    dialect,
    gain: loudness.gain,
    trackFiles: tracks,
    cleanFile,
    stillFile: null,
    outputFile,
    encoder,
    form: filmForm(composition.output, delivery),
  })
  const job = { composition, prepared, dialect }
  const messages = await renderPass(context, job, { args, from: 0 }, [], (share, note) =>
    context.progress(share, note),
  )
  if (isDamageMessage(messages, composition.source.seeksLoosely === true))
    warn('SOURCE_DAMAGED', null, DAMAGED)
  const finished = await verifyFilm(outputFile, composition, delivery, context)
  return { file, ...finished, integratedLufs: loudness.expectedLufs, warnings }
}

/** By so many LU a programme may miss its loudness (EBU R 128). */
const ALLOWED = 0.5

/** Sound of which only the peaks are loud cannot be brought to every loudness under a ceiling. */
function warnOfLoudness({ nearest }: GainPlan, { audio }: Composition, warn: Warn): void {
  if (nearest === undefined || nearest === null || audio.integratedLufs === null) return
  if (Math.abs(nearest - audio.integratedLufs) <= ALLOWED) return
  const message = `The sound comes to about ${nearest.toFixed(1)} LUFS and not to ${audio.integratedLufs}, because its peaks may not be higher.`
  warn(null, null, message)
}

interface ProbedStream {
  codec_type?: string
  width?: number
  height?: number
  nb_read_packets?: string
  field_order?: string
  pix_fmt?: string
  color_transfer?: string
}

/** Throws RENDER_FAILED when size, number of frames, order of fields or streams are not what was ordered. */
async function verifyFilm(
  file: string,
  composition: Composition,
  delivery: VideoDelivery,
  context: StageContext,
) {
  const args = exportFactsArguments(file)
  const { streams } = await readByFfprobe<{ streams?: ProbedStream[] }>(context, args, 600)
  const video = streams?.find((stream) => stream.codec_type === 'video')
  const { width, height } = delivery.frame ?? composition.output
  const rate = rationalToNumber(deliveredRate(composition.output, delivery))
  const seconds = composition.durationFrames / rationalToNumber(composition.output.frameRate)
  const frames = Number(video?.nb_read_packets ?? 0)
  const isWoven = delivery.scan === 'top-first'
  const wrong = [
    video?.width === width && video.height === height
      ? null
      : `its size is ${video?.width ?? 0}x${video?.height ?? 0} and not ${width}x${height}`,
    // Of an odd number of pictures the last has none to be woven with.
    Math.abs(frames - seconds * rate) < (isWoven ? 1 : 0.5)
      ? null
      : `it has ${frames} frames and not ${Math.round(seconds * rate)}`,
    hdrProblem(video, composition, delivery),
    isWoven && !['tt', 'tb'].includes(video?.field_order ?? '')
      ? 'its upper field does not come first'
      : null,
    streams?.some((stream) => stream.codec_type === 'audio') === true ? null : 'it has no sound track',
  ].filter((problem) => problem !== null)
  if (wrong.length > 0)
    throw stageError('RENDER_FAILED', `The finished file is not right: ${wrong.join('; ')}.`)
  return { width, height, frames, durationSeconds: frames / rate }
}

/** What is wrong with a file that should be HDR, as a phrase; null: nothing. */
function hdrProblem(
  video: ProbedStream | undefined,
  { output }: Composition,
  { pixelFormat }: VideoDelivery,
): string | null {
  if (output.hdr === undefined) return null
  const { transfer } = coloursOf(output)
  const is = `${video?.pix_fmt ?? ''} ${video?.color_transfer ?? 'untagged'}`
  return is === `${pixelFormat} ${transfer}`
    ? null
    : `its colours are ${is} and not ${pixelFormat} ${transfer}`
}
