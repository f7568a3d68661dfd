/**
 * The folder `arguments/` has PURE builders of ffmpeg argument arrays; nothing in it starts a process. This file builds the
 * command that renders a Composition, and the command that measures its loudness before.
 */
import { sourceFrames, type Composition } from '../../../server/contract/composition.ts'
import { movedBy } from '../../../server/contract/time-map/head.ts'
import type { Rational } from '../../../server/contract/time.ts'
import { videoLayersOf } from '../../compositor/video-place.ts'
import { everyFrame, OLD_DIALECT, type Dialect } from './dialect.ts'
import { cardFilters, cardInput, type CardReading } from './card-reading.ts'
import { coloursOf, colourTags, decimal } from './colour.ts'
import { audioChains, cutChains, type AudioGain } from './render-audio.ts'
import { trackInputs } from './render-music.ts'
import { holdFilters, pictureChains, type BandInput } from './render-picture.ts'
import { stackChains, videoInputs } from './render-videos.ts'
import { OWN_CLOCK, PATIENT_MUXER, listArguments } from './input.ts'
import { planFrom, planTime, SAMPLE_RATE, type SourceWindow, type TimePlan } from './render-time.ts'
import type { VideoEncoder } from './render-encoder.ts'

/** What the finished picture is made of. */
export interface PictureCommand {
  readonly composition: Composition
  readonly sourceFile: string
  /** Band `i` is read from file descriptor 3 + i. */
  readonly bands: readonly BandInput[]
  /** Path of a video layer's file by its digest; absent if there is no such layer. */
  readonly videoFile?: (digest: string) => string
  /** The painted frame of a source without a picture; absent or null: black. */
  readonly groundFile?: string | null
  /** Of the ffmpeg that will run the command; absent: the bundled build's. */
  readonly dialect?: Dialect
  /** How the source's picture is decoded on a graphics card; absent or null: by the processor. */
  readonly reading?: CardReading | null
  /** The first frame that is made, one that plays the source; absent: all are. The bands begin on it, too. */
  readonly from?: number
  /** The first frame that is shown unchanged until the clip's end, which is made once; absent or null: none is known. */
  readonly restsFrom?: number | null
}

export interface RenderCommand extends PictureCommand {
  readonly outputFile: string
  /** Path for a JPEG of the middle frame; null: none. */
  readonly stillFile: string | null
  readonly encoder: VideoEncoder
  readonly gain: AudioGain | null
  /** The files of `composition.audio.tracks`, in their order; absent if there are none. */
  readonly trackFiles?: readonly string[]
  /** The clip's own sound, cut and cleaned (`cutSoundArguments`); absent or null: it is cut from the source. */
  readonly cleanFile?: string | null
  /** Absent: an MP4 as platforms take it. */
  readonly form?: FileForm
}

/** What is around the picture in the finished file. */
export interface FileForm {
  /** Frames a second, which may be half of the composition's. */
  readonly frameRate: Rational
  readonly sound: readonly string[]
  /** Comes last, before the file's name. */
  readonly container: readonly string[]
}

const WHITELIST = ['-protocol_whitelist', 'file,pipe,fd'] as const
const FIRST_PIPE = 3

/**
 * Says that the picture is what it has become. Asked for tags that frames do not have, ffmpeg 9 converts their colours, and loses a
 * step of luma.
 */
function tagged(output: Composition['output']): string {
  const { primaries, transfer, matrix } = coloursOf(output)
  return `setparams=range=tv:color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}`
}

/** The render in one pass: the source and bands (through pipes) in, the finished MP4 (and a still of its middle frame) out. */
export function renderArguments(command: RenderCommand): string[] {
  const { composition, encoder, bands } = command
  const plan = planTime(composition)
  const trackFiles = command.trackFiles ?? []
  const sources = needsSource(composition) ? plan.windows : []
  const still = command.stillFile
  const own = cleanInput(command.cleanFile)
  const dialect = command.dialect ?? OLD_DIALECT
  const finished = encoder.filters === '' ? 'video' : 'plain'
  const picture = finishedPicture(command, plan, still === null ? finished : 'drawn', {
    sources: sources.length,
    tracks: trackFiles.length + own.count,
  })
  const form = command.form ?? mp4Form(composition)
  const filters = [
    ...picture.chains,
    ...encodedChains(command, finished),
    ...audioChains(composition, plan, command.gain, 'audio', {
      tones: true,
      firstTrack: trackFiles.length === 0 ? null : sources.length + bands.length,
      cleaned: own.count === 0 ? undefined : sources.length + bands.length + trackFiles.length,
    }),
  ]
  return listArguments`
    ${COMMON} ${encoder.globalArguments}
    ${sources.flatMap((window) => sourceInput(window, command.sourceFile, command.reading))} ${picture.bands}
    ${trackInputs(composition, trackFiles)} ${own.input} ${picture.others} -filter_complex ${filters.join(';')}
    ${everyFrame(dialect, form.frameRate)} -map [video] -map [audio] -map_metadata -1
    -map_chapters -1 ${BITEXACT} ${encoder.arguments} ${colourTags(composition.output)} ${form.sound} ${PATIENT_MUXER}
    ${form.container} file:${command.outputFile} ${still === null ? [] : stillOutput(still, dialect)}
  `
}

export interface PartsCommand extends PictureCommand {
  /** Path for a JPEG of the middle frame, if that is made; null: none. */
  readonly stillFile: string | null
  readonly encoder: VideoEncoder
  /** Where the parts go: a path with `%d` for their number. Each begins with a keyframe and is whole by itself. */
  readonly partFile: string
  /** Gets a line for each part that is finished: name, seconds from the first frame that is made to its start and end. */
  readonly listFile: string
  /** The length of a part, which begins with a keyframe that is made for it. */
  readonly partSeconds: number
}

/** The picture alone, in parts that are kept one by one; `joinArguments` makes one file of them. */
export function partsArguments(command: PartsCommand): string[] {
  const { composition, encoder, bands, from = 0, stillFile, partSeconds } = command
  const plan = planFrom(composition, from)
  const sources = composition.source.hasVideo ? plan.windows : []
  const dialect = command.dialect ?? OLD_DIALECT
  const finished = encoder.filters === '' ? 'video' : 'plain'
  const before = { sources: sources.length, tracks: 0 }
  const picture = finishedPicture(
    { ...command, bands: bands.map((band) => ({ ...band, from })) },
    plan,
    stillFile === null ? finished : 'drawn',
    before,
  )
  return listArguments`
    ${COMMON} ${encoder.globalArguments}
    ${sources.flatMap((window) => sourceInput(window, command.sourceFile, command.reading))} ${picture.bands}
    ${picture.others} -filter_complex ${[...picture.chains, ...encodedChains(command, finished)].join(';')}
    ${everyFrame(dialect, composition.output.frameRate)} -map [video] -map_metadata -1 -map_chapters -1
    ${BITEXACT} ${encoder.arguments} ${ONE_ORDER} -force_key_frames expr:gte(t,n_forced*${partSeconds})
    ${colourTags(composition.output)} -f segment -segment_format mp4
    -segment_time ${partSeconds} -reset_timestamps 1 -segment_list_type csv
    -segment_list file:${command.listFile} file:${command.partFile}
    ${stillFile === null ? [] : stillOutput(stillFile, dialect)}
  `
}

/** The finished sound alone, as the one pass would encode it. */
export function soundArguments(
  command: Pick<RenderCommand, 'composition' | 'sourceFile' | 'gain' | 'trackFiles' | 'cleanFile'> & {
    readonly file: string
  },
): string[] {
  const { composition, gain } = command
  const plan = planTime(composition)
  const { inputs, ...parts } = soundInputs(command, plan)
  const chains = audioChains(composition, plan, gain, 'audio', { tones: true, ...parts })
  return listArguments`
    ${COMMON} ${inputs} -filter_complex ${chains.join(';')}
    -map [audio] -map_metadata -1 -map_chapters -1 ${AAC} ${BITEXACT} -f mp4 file:${command.file}
  `
}

/** Copies the parts that `listFile` (ffmpeg's concat script) names, and the sound, into the finished MP4. */
export function joinArguments(listFile: string, soundFile: string, outputFile: string): string[] {
  return listArguments`
    ${COMMON} -f concat -i file:${listFile} -i file:${soundFile} -map 0:v -map 1:a -c copy -map_metadata -1
    -map_chapters -1 ${BITEXACT} ${PATIENT_MUXER} -movflags +faststart -f mp4 file:${outputFile}
  `
}

/** Raw samples, as `cleanFile` has them: 48 kHz, two channels, 32-bit floating point. */
const RAW_SOUND = ['-f', 'f32le', '-ar', `${SAMPLE_RATE}`, '-ac', '2'] as const

function cleanInput(file: string | null | undefined): { readonly count: number; readonly input: string[] } {
  if (file === null || file === undefined) return { count: 0, input: [] }
  return { count: 1, input: [...WHITELIST, ...RAW_SOUND, '-i', `file:${file}`] }
}

/** The inputs of a command that makes sound alone, and which of them is what. */
export function soundInputs(
  {
    composition,
    sourceFile,
    trackFiles = [],
    cleanFile,
  }: Pick<RenderCommand, 'composition' | 'sourceFile' | 'trackFiles' | 'cleanFile'>,
  plan: TimePlan,
) {
  const own = cleanInput(cleanFile)
  const windows = composition.source.hasAudio && own.count === 0 ? plan.windows : []
  return {
    inputs: [
      ...windows.flatMap((window) => sourceInput(window, sourceFile)),
      ...trackInputs(composition, trackFiles),
      ...own.input,
    ],
    firstTrack: trackFiles.length === 0 ? null : windows.length,
    cleaned: own.count === 0 ? undefined : windows.length + trackFiles.length,
  }
}

/** The clip's own sound as it is cut, without an intro before it or a card after it, as raw samples on stdout. */
export function cutSoundArguments(composition: Composition, sourceFile: string): string[] {
  const plan = planTime(composition)
  return listArguments`
    ${COMMON} ${plan.windows.flatMap((window) => sourceInput(window, sourceFile))}
    -filter_complex ${cutChains(composition, plan, 'cut').join(';')} -map [cut] ${RAW_SOUND} pipe:1
  `
}

/** Without pictures that refer to later ones, which would delay each part, and their sum the whole. */
const ONE_ORDER = ['-bf', '0'] as const
export const AAC = ['-c:a', 'aac', '-b:a', '192k', '-ar', '48000', '-ac', '2'] as const

const MP4 = ['-movflags', '+faststart', '-f', 'mp4'] as const

const mp4Form = ({ output }: Composition): FileForm => ({
  frameRate: output.frameRate,
  sound: AAC,
  container: MP4,
})

/** From `[drawn]` (with a still) or `[finished]` to `[video]`, as the encoder takes it, and `[still]`. */
function encodedChains(
  {
    composition,
    encoder,
    stillFile,
    from = 0,
  }: Pick<PartsCommand, 'composition' | 'encoder' | 'stillFile' | 'from'>,
  finished: string,
): string[] {
  return [
    ...(stillFile === null
      ? []
      : [`[drawn]split[${finished}][copy]`, stillChain(composition, 'copy', { from, png: false })]),
    ...(encoder.filters === '' ? [] : [`[${finished}]${encoder.filters}[video]`]),
  ]
}

/**
 * A JPEG, or a PNG if `file` ends in `.png`, of the middle frame as the render would show it. Meant for a composition of one
 * frame (`buildMoment`, which also gives the plan); it then takes no longer than finding the frame in the source.
 */
export function stillArguments(
  command: PictureCommand & { readonly file: string },
  plan: TimePlan,
): string[] {
  const { composition, file } = command
  const dialect = command.dialect ?? OLD_DIALECT
  const sources = composition.source.hasVideo ? plan.windows : []
  const picture = finishedPicture(command, plan, 'drawn', { sources: sources.length, tracks: 0 })
  return listArguments`
    ${COMMON} ${sources.flatMap((window) => sourceInput(window, command.sourceFile))} ${picture.bands}
    ${picture.others}
    -filter_complex ${[...picture.chains, stillChain(composition, 'drawn', { from: 0, png: isPng(file) })].join(';')}
    ${dialect.fpsMode ? [] : ['-vsync', '0']} ${stillOutput(file, dialect)}
  `
}

/**
 * Measures the loudness of the clip's sound as it will be cut, with `gain` if one was chosen already: ebur128's summary on
 * stderr. Without `trackFiles` only the source's sound is measured, without tones, whose level is fixed.
 */
export function loudnessArguments(
  composition: Composition,
  sourceFile: string,
  gain: AudioGain | null,
  trackFiles: readonly string[] = [],
  cleanFile: string | null = null,
): string[] {
  const plan = planTime(composition)
  const { inputs, ...parts } = soundInputs({ composition, sourceFile, trackFiles, cleanFile }, plan)
  const chains = audioChains(composition, plan, gain, 'audio', { tones: parts.firstTrack !== null, ...parts })
  return listArguments`
    -hide_banner -nostdin -nostats -loglevel info ${OWN_CLOCK} ${inputs}
    -filter_complex ${[...chains, '[audio]ebur128=peak=true:framelog=verbose[measured]'].join(';')}
    -map [measured] -f null -
  `
}

export const COMMON = ['-hide_banner', '-nostdin', '-y', '-loglevel', 'warning', ...OWN_CLOCK] as const
export const BITEXACT = ['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'] as const

function needsSource(composition: Composition): boolean {
  return composition.source.hasVideo || composition.source.hasAudio
}

/**
 * Seeks to the keyframe before; times count from the requested moment. What lies before it is not dropped here: the picture
 * shown then may have begun long ago (a slide, a screen, a camera that was switched off), and the chains drop the rest. A window
 * at the very start is not sought: a seek lands on the first picture and would lose sound before it.
 */
export function sourceInput(window: SourceWindow, file: string, reading?: CardReading | null): string[] {
  const { seekMicroseconds } = window
  const seek = ['-noaccurate_seek', '-ss', decimal(seekMicroseconds / 1_000_000)]
  return [...cardInput(reading), ...WHITELIST, ...(seekMicroseconds === 0 ? [] : seek), '-i', `file:${file}`]
}

interface FinishedPicture {
  /** Inputs that come right after the source's. */
  readonly bands: readonly string[]
  /** Inputs that come after those of the sound tracks. */
  readonly others: readonly string[]
  readonly chains: readonly string[]
}

/** The laid-out picture with everything drawn over it; ends in `[label]`. `before`: number of preceding inputs. */
export function finishedPicture(
  command: PictureCommand,
  plan: TimePlan,
  label: string,
  before: { readonly sources: number; readonly tracks: number },
): FinishedPicture {
  const { composition: whole, videoFile, from = 0, restsFrom = null } = command
  const isStraight = command.dialect?.blending.kind === 'straight'
  const ground = command.groundFile ?? null
  const all = videoFile === undefined ? [] : videoLayersOf(whole)
  const isLeft = ({ endFrame }: (typeof all)[number]): boolean => endFrame > from
  const bands = command.bands.map((band) => ({
    ...band,
    isStraight,
    videosBelow: all.slice(0, band.videosBelow ?? 0).filter(isLeft).length,
  }))
  const groundAt = before.sources + bands.length + before.tracks
  const videos = all.filter(isLeft).map((layer) => movedBy(layer, -from))
  // What counts frames from the first one that is made.
  const later = { ...whole, durationFrames: whole.durationFrames - from }
  const made = restsFrom === null ? later.durationFrames : Math.max(1, restsFrom + 1 - from)
  const firstVideo = groundAt + (ground === null ? 0 : 1)
  const stack = { bands, firstBand: before.sources, videos, firstVideo }
  return {
    bands: bands.flatMap((_, index) => bandInput(FIRST_PIPE + index)),
    others: [
      ...(ground === null ? [] : groundInput(later, ground)),
      ...(videoFile === undefined ? [] : videoInputs(later, videos, videoFile)),
    ],
    chains: [
      ...(ground === null
        ? pictureChains(whole, plan, 'picture', { from, made, taken: cardFilters(command.reading) })
        : [groundChain(later, groundAt, 'picture')]),
      ...stackChains(later, stack, 'picture', 'stacked'),
      `[stacked]${holdFilters(later, made)}${tagged(whole.output)}[${label}]`,
    ],
  }
}

function bandInput(descriptor: number): string[] {
  return [...WHITELIST, '-f', 'matroska', '-fpsprobesize', '0', '-i', `pipe:${descriptor}`]
}

const isPng = (file: string): boolean => file.endsWith('.png')

/** The middle frame of what plays the source. */
export function middleFrame(composition: Composition): number {
  const { startFrame, endFrame } = sourceFrames(composition)
  return Math.floor((startFrame + endFrame) / 2)
}

function stillChain(
  composition: Composition,
  input: string,
  { from, png }: { readonly from: number; readonly png: boolean },
): string {
  const middle = middleFrame(composition) - from
  // JPEG is BT.601 with full range. Without the detour through RGB swscale keeps the limited range and the still looks grey.
  const colours = 'scale=in_color_matrix=bt709:in_range=tv,format=rgb24'
  // Newer builds write BT.709's curve into a PNG, and whoever honours that shows and draws other colours.
  const untagged = `${colours},setparams=color_primaries=unknown:color_trc=unknown`
  const convert = png ? untagged : `${colours},scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p`
  return `[${input}]trim=start_frame=${middle}:end_frame=${middle + 1},${convert}[still]`
}

function stillOutput(file: string, dialect: Dialect): string[] {
  const sync = dialect.fpsMode ? ['-fps_mode', 'passthrough'] : []
  const [codec, form] = isPng(file)
    ? [['-c:v', 'png'], 'image2pipe']
    : [['-c:v', 'mjpeg', '-q:v', '3'], 'mjpeg']
  const picture = ['-map', '[still]', '-map_metadata', '-1', '-frames:v', '1', ...codec]
  return [...picture, ...sync, ...BITEXACT, '-f', form, `file:${file}`]
}

/** Opens the frame: raw yuv420p of the output's size. */
function groundInput({ output }: Composition, file: string): string[] {
  const { width, height, frameRate } = output
  const rate = `${frameRate.numerator}/${frameRate.denominator}`
  const form = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', rate]
  return ['-protocol_whitelist', 'file,pipe,fd', ...form, '-i', `file:${file}`]
}

/** A chain that ends in `[label]`: the frame of input `input`, shown for the whole clip. */
function groundChain({ output, durationFrames }: Composition, input: number, label: string): string {
  const { numerator, denominator } = output.frameRate
  const held = `loop=loop=-1:size=1:start=0,trim=end_frame=${durationFrames}`
  return `[${input}:0]${held},settb=${denominator}/${numerator},setpts=N,setsar=1,format=yuv420p[${label}]`
}
