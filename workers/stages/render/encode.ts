/**
 * Encodes and verifies the file. If a graphics card fails, the clip is made without it, with a warning: first its decoder is given
 * up, then its encoder.
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
import type { CardReading } from '../../media/arguments/card-reading.ts'
import { findCard } from '../../media/arguments/cards/registry.ts'
import type { Dialect } from '../../media/arguments/dialect.ts'
import type { SourceReading } from '../../media/card-probe.ts'
import { withGraphFile } from '../../media/long-graph.ts'
import { readByFfprobe, runFfmpeg, type ToolRun } from '../../media/run-tool.ts'
import { joinArguments, type PartsCommand } from '../../media/arguments/render.ts'
import type { Checkpoints } from '../../checkpoints.ts'
import { findParts, keepFile, keepParts, usableParts, writeScript } from './parts.ts'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stageError, type StageContext } from '../context.ts'
import { feedBand, type BandStatistics } from './bands.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'
import { factsArguments } from '../../media/arguments/probe.ts'
import type { Warn } from '../../../server/contract/render-remarks.ts'

/** Shares of the progress bar. */
const MEASURED = 0.05
const RENDERED = 0.98
const STALL_SECONDS = 300

export interface EncodeJob {
  readonly composition: Composition
  readonly prepared: PreparedComposition
  readonly settings: SoftwareSettings
  readonly commandFor: (way: Way) => readonly string[]
  readonly source: SourceReading
  /** Makes the file of parts that are kept, instead of in one pass; null: in one pass. */
  readonly inParts: InParts | null
  readonly dialect: Dialect
  readonly file: string
  readonly warn: Warn
}

/** What decodes the source and encodes the clip. */
export interface Way {
  readonly encoder: VideoEncoder
  /** Null: the processor decodes. */
  readonly reading: CardReading | null
}

export interface InParts {
  readonly checkpoints: Checkpoints
  readonly commandFor: (
    way: Way,
    part: Pick<PartsCommand, 'from' | 'partFile' | 'listFile' | 'partSeconds'> & {
      readonly withStill: boolean
    },
  ) => readonly string[]
  readonly soundCommand: (file: string) => readonly string[]
  /** Takes the still that the picture's pass did not make, because it began later. */
  readonly takeStill: () => Promise<void>
}

export interface Encoded extends Way {
  /** What was given up, because it failed in this render. */
  readonly gaveUp: readonly ('decoder' | 'encoder')[]
  readonly finished: Awaited<ReturnType<typeof verifyRender>>
  readonly statistics: readonly BandStatistics[]
  readonly milliseconds: { readonly render: number; readonly check: number }
}

/** Throws RENDER_FAILED, CANCELLED or DISK_FULL. */
export async function encodeClip(context: StageContext, job: EncodeJob): Promise<Encoded> {
  const { width, height, frameRate } = job.composition.output
  const shape = { width, height, frameRate }
  const choice = context.encoder ?? SOFTWARE
  if (choice.complaint !== undefined) job.warn(null, null, choice.complaint)
  const encoder = videoEncoder(choice, job.settings, shape)
  const progress = createRisingProgress(context)
  let way: Way = { encoder, reading: job.source.reading }
  const gaveUp: ('decoder' | 'encoder')[] = []
  for (;;) {
    try {
      return { ...(await attempt(context, job, way, progress)), gaveUp }
    } catch (error) {
      const isHardware = choice.way !== 'software' && way.encoder === encoder
      if ((way.reading === null && !isHardware) || !isCardsFault(error, context)) throw error
      if (way.reading !== null) {
        const { title } = findCard(way.reading.card) ?? { title: way.reading.card }
        job.warn(
          null,
          null,
          `The graphics card (${title}) failed to decode the source (${formatReason(error)}); the processor decoded it instead.`,
        )
        gaveUp.push('decoder')
        way = { encoder, reading: null }
      } else {
        const software = videoEncoder(SOFTWARE, job.settings, shape)
        job.warn(
          null,
          null,
          `The hardware encoder ${encoder.name} failed (${formatReason(error)}); the clip was encoded by ${software.name} instead.`,
        )
        gaveUp.push('encoder')
        way = { encoder: software, reading: null }
      }
    }
  }
}

export type Progress = (fraction: number, note: string) => void

/** A second attempt starts from the beginning, and the bar waits until it has caught up. */
function createRisingProgress(context: StageContext): Progress {
  let shown = 0
  return (fraction, note) => {
    shown = Math.max(shown, fraction)
    context.progress(shown, note)
  }
}

/** Whether a graphics card may be the cause: any failure but a cancel and a full disk. */
function isCardsFault(error: unknown, context: StageContext): boolean {
  return !context.signal.aborted && error instanceof AppError && error.code === 'RENDER_FAILED'
}

function formatReason(error: unknown): string {
  const reason = error instanceof Error ? error.message : 'unknown'
  return reason.replace(/^The clip could not be rendered: /, '').replace(/\.$/, '')
}

async function attempt(context: StageContext, job: EncodeJob, way: Way, progress: Progress) {
  const statistics = job.prepared.bands.map((): BandStatistics => ({
    pictures: 0,
    bytes: 0,
    drawMilliseconds: 0,
  }))
  const started = performance.now()
  const messages =
    job.inParts === null
      ? await renderPass(context, job, { args: job.commandFor(way), from: 0 }, statistics, progress)
      : await renderInParts(context, job, job.inParts, way, statistics, progress)
  const renderedAt = performance.now()
  progress(RENDERED, 'Checking the file')
  const finished = await verifyRender(job.file, job.composition, context)
  if (isDamageMessage(messages, job.composition.source.seeksLoosely === true))
    job.warn('SOURCE_DAMAGED', null, DAMAGED)
  const render = Math.round(renderedAt - started)
  const check = Math.round(performance.now() - renderedAt)
  return { ...way, finished, statistics, milliseconds: { render, check } }
}

/** So short that the least time between two interruptions is enough for one. */
const PART_SECONDS = 1

/** Makes what earlier attempts have not kept, and joins it all. Returns the messages of ffmpeg. */
async function renderInParts(
  context: StageContext,
  job: EncodeJob,
  inParts: InParts,
  way: Way,
  statistics: readonly BandStatistics[],
  progress: Progress,
): Promise<string> {
  const { checkpoints } = inParts
  const { composition } = job
  const { encoder } = way
  const found = usableParts(await findParts(context, checkpoints, encoder.name), composition)
  const from = found.at(-1)?.to ?? 0
  const keeper = keepParts(context, checkpoints, { from, encoder: encoder.name, composition })
  const messages: string[] = []
  const makeSound = async (path: string): Promise<void> => {
    messages.push(await runPass(context, job, { args: inParts.soundCommand(path) }))
  }
  const makePicture = async (): Promise<void> => {
    if (from >= composition.durationFrames) return
    const { partFile, listFile } = keeper
    const part = { from, partFile, listFile, partSeconds: PART_SECONDS, withStill: from === 0 }
    const args = inParts.commandFor(way, part)
    await rm(listFile, { force: true })
    messages.push(
      await renderPass(context, job, { args, from, onMove: keeper.collect }, statistics, progress),
    )
    await keeper.collect()
  }
  const [sound] = await Promise.all([
    keepFile(context, checkpoints, 'sound.mp4', makeSound),
    makePicture(),
    from === 0 ? Promise.resolve() : inParts.takeStill(),
  ])
  const script = await writeScript(context, [...found, ...keeper.kept], composition.output)
  // Written beside the parts, because a confined ffmpeg sees the folders that it writes into, and no file that only a script names.
  const joined = join(context.temporary, 'joined.mp4')
  messages.push(await runPass(context, job, { args: joinArguments(script, sound, joined) }))
  await rename(joined, job.file)
  return messages.join('\n')
}

interface Pass {
  readonly args: readonly string[]
  /** The first frame that it makes. */
  readonly from: number
  /** Called whenever it came further. */
  readonly onMove?: () => Promise<void>
}

/** Makes the picture. Returns the messages of ffmpeg. `statistics`: added to, one for each band; none where nobody asks. */
export async function renderPass(
  context: StageContext,
  job: Pick<EncodeJob, 'composition' | 'prepared' | 'dialect'>,
  { args, from, onMove }: Pass,
  statistics: readonly BandStatistics[],
  progress: Progress,
): Promise<string> {
  const { composition, prepared, dialect } = job
  const { frameRate } = composition.output
  const seconds = composition.durationFrames / rationalToNumber(frameRate)
  const inputs = prepared.bands.map((band, index) => {
    const own = statistics[index] ?? { pictures: 0, bytes: 0, drawMilliseconds: 0 }
    return (pipe: Parameters<typeof feedBand>[0]) =>
      feedBand(pipe, band, frameRate, own, { blending: dialect.blending, hdr: composition.output.hdr }, from)
  })
  const before = from / rationalToNumber(frameRate)
  let trouble: { readonly error: unknown } | null = null
  const messages = await runPass(context, job, {
    args,
    inputs,
    onProgress: (written) => {
      const share = Math.min(1, (before + written) / seconds)
      progress(MEASURED + (RENDERED - MEASURED) * share, 'Rendering the clip')
      void onMove?.().catch((error: unknown) => (trouble ??= { error }))
    },
  })
  if (trouble !== null) throw (trouble as { readonly error: unknown }).error
  return messages
}

/** Runs ffmpeg once; returns its messages. */
export async function runPass(
  context: StageContext,
  { composition, dialect }: Pick<EncodeJob, 'composition' | 'dialect'>,
  { args: wholeArgs, ...more }: Pick<ToolRun, 'args' | 'inputs' | 'onProgress'>,
): Promise<string> {
  try {
    const { stderr } = await withGraphFile(wholeArgs, { dialect, folder: context.temporary }, (args) =>
      runFfmpeg(context, args, { ...more, stallSeconds: patienceSeconds(composition, STALL_SECONDS) }),
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

/** Pictures with missing parts, which are guessed from earlier pictures. */
const BROKEN_PICTURE =
  /error while decoding MB|concealing \d+ DC|corrupted macroblock|Invalid NAL unit size|Error splitting the input into NAL units|damaged at \d+/u
const UNREAD = /^Error while decoding stream #/mu

export const DAMAGED =
  'The source is damaged in this stretch: parts of it could not be read, so picture or sound of the clip may be broken there.'

/** Whether ffmpeg reports damage. `loose`: reading began between keyframes, where undecodable pictures are normal. */
export function isDamageMessage(stderr: string, loose: boolean): boolean {
  return BROKEN_PICTURE.test(stderr) || (!loose && UNREAD.test(stderr))
}

/**
 * Seconds without output. A measuring pass prints nothing until its end, after some hundredths of the clip's length. And each cut's
 * part of the filter graph receives all of the sound, so the time grows with the square of their number: 400 cuts took 46 s on two
 * cores that had other work.
 */
export function patienceSeconds({ durationFrames, output, timeMap }: Composition, least: number): number {
  const clip = durationFrames / rationalToNumber(output.frameRate)
  return Math.ceil(least + clip / 10 + timeMap.length ** 2 / 500)
}

interface ProbedStream {
  codec_type?: string
  width?: number
  height?: number
  nb_frames?: string
  duration?: string
}

/** Throws RENDER_FAILED when size, number of frames, streams or length differ from the composition. */
async function verifyRender(file: string, composition: Composition, context: StageContext) {
  const { streams } = await readByFfprobe<{ streams?: ProbedStream[] }>(context, factsArguments(file))
  const video = streams?.find((stream) => stream.codec_type === 'video')
  const audio = streams?.find((stream) => stream.codec_type === 'audio')
  const { width, height, frameRate } = composition.output
  const frameSeconds = frameRate.denominator / frameRate.numerator
  const wantedSeconds = composition.durationFrames * frameSeconds
  const frames = Number(video?.nb_frames ?? 0)
  const wrong = [
    video?.width === width && video.height === height
      ? null
      : `its size is ${video?.width ?? 0}x${video?.height ?? 0} and not ${width}x${height}`,
    frames === composition.durationFrames
      ? null
      : `it has ${frames} frames and not ${composition.durationFrames}`,
    Math.abs(Number(video?.duration ?? 0) - wantedSeconds) <= frameSeconds / 2
      ? null
      : `its picture lasts ${video?.duration ?? '0'} s and not ${wantedSeconds.toFixed(3)} s`,
    audio === undefined ? 'it has no sound track' : null,
    // AAC ends on a whole block of 1024 samples.
    Math.abs(Number(audio?.duration ?? 0) - wantedSeconds) <= frameSeconds + 1024 / 48_000
      ? null
      : `its sound lasts ${audio?.duration ?? '0'} s and not ${wantedSeconds.toFixed(3)} s`,
  ].filter((problem) => problem !== null)
  if (wrong.length > 0) {
    throw stageError('RENDER_FAILED', `The rendered file is not right: ${wrong.join('; ')}.`)
  }
  return { width, height, frames, durationSeconds: Number(video?.duration ?? wantedSeconds) }
}
