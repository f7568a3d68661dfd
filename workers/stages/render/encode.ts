/**
 * Encodes the file and verifies it. If a hardware encoder fails, or leaves a file that is not right, the clip is encoded once more
 * in software, with a warning.
 */
import { AppError } from '../../../server/contract/errors.ts'
import type { Composition } from '../../../server/contract/composition.ts'
import { rationalToNumber } from '../../../server/contract/time.ts'
import type { PreparedComposition } from '../../compositor/compositor.ts'
import {
  SOFTWARE,
  videoEncoder,
  type SoftwareSettings,
  type VideoEncoder,
} from '../../media/arguments/render-encoder.ts'
import type { Dialect } from '../../media/arguments/dialect.ts'
import { withGraphFile } from '../../media/long-graph.ts'
import { runTool } from '../../media/run-tool.ts'
import { stageError, type StageContext } from '../context.ts'
import { feedBand, type BandStatistics } from './bands.ts'
import { DAMAGED, isDamageMessage } from './pure/damage.ts'
import { patienceSeconds } from './pure/patience.ts'
import { verifyRender, type FinishedFile } from './verify.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

/** Shares of the progress bar. */
const MEASURED = 0.05
const RENDERED = 0.98
const STALL_SECONDS = 300

export interface EncodeJob {
  readonly composition: Composition
  readonly prepared: PreparedComposition
  readonly settings: SoftwareSettings
  /** ffmpeg's arguments for an encoder. */
  readonly commandFor: (encoder: VideoEncoder) => readonly string[]
  readonly dialect: Dialect
  /** The file that the command writes. */
  readonly file: string
  readonly warn: (message: string) => void
}

export interface Encoded {
  readonly encoder: VideoEncoder
  /** A hardware encoder was chosen and failed. */
  readonly fellBack: boolean
  readonly finished: FinishedFile
  readonly statistics: readonly BandStatistics[]
  readonly milliseconds: { readonly render: number; readonly check: number }
}

/** Throws RENDER_FAILED, CANCELLED or DISK_FULL. */
export async function encodeClip(context: StageContext, job: EncodeJob): Promise<Encoded> {
  const { width, height, frameRate } = job.composition.output
  const shape = { width, height, frameRate }
  const choice = context.encoder ?? SOFTWARE
  if (choice.complaint !== undefined) job.warn(choice.complaint)
  const encoder = videoEncoder(choice, job.settings, shape)
  const progress = createRisingProgress(context)
  try {
    return { ...(await attempt(context, job, encoder, progress)), fellBack: false }
  } catch (error) {
    if (choice.way === 'software' || !isEncodersFault(error, context)) throw error
    const software = videoEncoder(SOFTWARE, job.settings, shape)
    job.warn(
      `The hardware encoder ${encoder.name} failed (${reasonOf(error)}); the clip was encoded by ${software.name} instead.`,
    )
    return { ...(await attempt(context, job, software, progress)), fellBack: true }
  }
}

type Progress = (fraction: number, note: string) => void

/** A second attempt starts from the beginning, and the bar waits until it has caught up. */
function createRisingProgress(context: StageContext): Progress {
  let shown = 0
  return (fraction, note) => {
    shown = Math.max(shown, fraction)
    context.progress(shown, note)
  }
}

/** Whether the encoder may be the cause: any failure but a cancel and a full disk. */
function isEncodersFault(error: unknown, context: StageContext): boolean {
  return !context.signal.aborted && error instanceof AppError && error.code === 'RENDER_FAILED'
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : 'unknown'
  return reason.replace(/^The clip could not be rendered: /, '').replace(/\.$/, '')
}

async function attempt(
  context: StageContext,
  job: EncodeJob,
  encoder: VideoEncoder,
  progress: Progress,
): Promise<Omit<Encoded, 'fellBack'>> {
  const statistics = job.prepared.bands.map((): BandStatistics => ({
    pictures: 0,
    bytes: 0,
    drawMilliseconds: 0,
  }))
  const started = performance.now()
  const messages = await renderPass(context, job, job.commandFor(encoder), statistics, progress)
  const renderedAt = performance.now()
  progress(RENDERED, 'Checking the file')
  const finished = await verifyRender(job.file, job.composition, {
    ffprobe: context.tools.ffprobe,
    signal: context.signal,
  })
  if (isDamageMessage(messages, job.composition.source.seeksLoosely === true)) job.warn(DAMAGED)
  const render = Math.round(renderedAt - started)
  const check = Math.round(performance.now() - renderedAt)
  return { encoder, finished, statistics, milliseconds: { render, check } }
}

/** Returns the messages of ffmpeg. */
async function renderPass(
  context: StageContext,
  { composition, prepared, dialect }: EncodeJob,
  wholeArgs: readonly string[],
  statistics: readonly BandStatistics[],
  progress: Progress,
): Promise<string> {
  const { frameRate } = composition.output
  const seconds = composition.durationFrames / rationalToNumber(frameRate)
  const inputs = prepared.bands.map((band, index) => {
    const own = statistics[index] ?? { pictures: 0, bytes: 0, drawMilliseconds: 0 }
    return (pipe: Parameters<typeof feedBand>[0]) => feedBand(pipe, band, frameRate, own, dialect.overlayLuma)
  })
  try {
    const { stderr } = await withGraphFile(wholeArgs, { dialect, folder: context.folder }, (args) =>
      runTool({
        executable: context.tools.ffmpeg,
        args,
        signal: context.signal,
        inputs,
        onProgress: (written) => {
          const share = Math.min(1, written / seconds)
          progress(MEASURED + (RENDERED - MEASURED) * share, 'Rendering the clip')
        },
        stallSeconds: patienceSeconds(composition, STALL_SECONDS),
      }),
    )
    return stderr
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'STAGE_FAILED') throw error
    // The bundled build of ffmpeg crashes if it should hold the last picture and never received one.
    const why =
      error.details?.['signal'] === 'SIGSEGV'
        ? 'ffmpeg crashed; the source may have no picture in this stretch.'
        : error.message
    throw stageError('RENDER_FAILED', `The clip could not be rendered: ${why}`, {
      ...omitUndefined({ details: error.details }),
      cause: error,
    })
  }
}
