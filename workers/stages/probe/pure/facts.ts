/** Turns ffprobe's JSON into SourceFacts. PURE. Times count from the container's start time, as in ffmpeg. */
import {
  manyChannels,
  manyChannelsSentence,
  type SourceFacts,
  type VideoFacts,
} from '../../../../server/contract/source-facts.ts'
import { secondsToTicks, ticksToSeconds, type Ticks } from '../../../../server/contract/time.ts'
import { decideFrameRate, parseRational } from './frame-rate.ts'
import { numberOf, streamSeconds, tagOf, type ProbeJson, type ProbeStream } from './probe-json.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'

const TEXT_CAPTIONS = new Set(['mov_text', 'subrip', 'srt', 'webvtt', 'ass', 'ssa', 'text'])
/** Line-21 data inside the picture has no text that could be read. */
const UNREADABLE_CAPTIONS = new Set(['eia_608', 'eia_708'])
const PICTURE_CODECS = new Set(['mjpeg', 'png', 'gif', 'bmp', 'webp', 'tiff'])
const INTERLACED = new Set(['tt', 'bb', 'tb', 'bt'])
const HDR_TRANSFERS = new Set(['smpte2084', 'arib-std-b67'])

export interface ChosenStreams {
  readonly video: ProbeStream | null
  readonly audio: ProbeStream | null
  readonly audioStreams: number
}

/** The streams that are used: those marked as default, otherwise the first sound and the largest picture. */
export function chooseStreams(probe: ProbeJson): ChosenStreams {
  const streams = probe.streams ?? []
  const videos = streams.filter(isMovingPicture)
  const audios = streams.filter(
    (stream) => stream.codec_type === 'audio' && isKnown(stream) && (stream.channels ?? 0) > 0,
  )
  const area = (stream: ProbeStream): number => (stream.width ?? 0) * (stream.height ?? 0)
  const largest = videos.toSorted((a, b) => area(b) - area(a))[0]
  const spoken = audios.filter((stream) => !isCommentary(stream))
  const candidates = spoken.length > 0 ? spoken : audios
  return {
    video: videos.find(isDefault) ?? largest ?? null,
    audio: candidates.find(isDefault) ?? candidates[0] ?? null,
    audioStreams: audios.length,
  }
}

/** The picture attached to a sound file: the front cover if marked, otherwise the first. */
export function attachedPicture(probe: ProbeJson): ProbeStream | null {
  const attached = (probe.streams ?? []).filter(
    (stream) => stream.codec_type === 'video' && isKnown(stream) && !isMovingPicture(stream),
  )
  const front = attached.find(({ tags }) => /front/i.test(tagOf(tags, 'comment')))
  return front ?? attached[0] ?? null
}

/** What was measured besides the JSON. */
export interface Measured {
  readonly bytes: number
  /** Length in seconds from the source's time 0, verified against what can be read. */
  readonly durationSeconds: number
  /** Sorted presentation times of video packets in a few ranges. */
  readonly frameTimes: readonly (readonly number[])[]
  readonly cover?: SourceFacts['cover'] | null
  readonly warnings: readonly string[]
}

/** Builds the facts. `chosen` may omit streams that cannot be decoded. */
export function sourceFacts(probe: ProbeJson, chosen: ChosenStreams, measured: Measured): SourceFacts {
  const warnings = [...measured.warnings]
  const start = startSeconds(probe)
  const duration = secondsToTicks(measured.durationSeconds)
  const bitRate = numberOf(probe.format?.bit_rate)
  const shown = chosen.video === null ? null : videoFacts(chosen.video, start, measured.frameTimes, warnings)
  const endTime = shown === null ? null : earlyEnd(chosen, shown, measured.durationSeconds, warnings)
  const video = shown === null || endTime === null ? shown : { ...shown, endTime }
  return {
    container: containerName(probe),
    duration,
    bytes: measured.bytes,
    ...(bitRate === null ? {} : { bitRate: Math.round(bitRate) }),
    video,
    audio: chosen.audio === null ? null : audioFacts(chosen.audio, start, warnings),
    ...(measured.cover == null ? {} : { cover: measured.cover }),
    audioStreams: chosen.audioStreams,
    captions: captionTracks(probe, warnings),
    chapters: chapters(probe, start, duration),
    warnings,
  }
}

/** Warns about a picture that ends long before the sound, because it stands still from there on. */
function earlyEnd(
  { video, audio }: ChosenStreams,
  { startTime }: VideoFacts,
  end: number,
  warnings: string[],
): Ticks | null {
  const length = video === null || audio === null ? null : streamSeconds(video)
  if (length === null) return null
  const pictureEnd = ticksToSeconds(startTime) + length
  if (end - pictureEnd <= Math.max(2, end * 0.02)) return null
  warnings.push(
    `The picture ends at ${pictureEnd.toFixed(0)} seconds and the sound at ${end.toFixed(0)}; after that the last picture stands still.`,
  )
  return secondsToTicks(pictureEnd)
}

/** The container's start on its own clock, in seconds. */
export function startSeconds(probe: ProbeJson): number {
  return numberOf(probe.format?.start_time) ?? 0
}

/** Clockwise quarter turns that show the picture upright; `exact` is false when the file declares another angle. */
export function rotationOf(stream: ProbeStream): { rotation: VideoFacts['rotation']; exact: boolean } {
  const matrix = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation
  const clockwise = matrix !== undefined ? -matrix : (numberOf(stream.tags?.['rotate']) ?? 0)
  const quarter = ((Math.round(clockwise / 90) % 4) + 4) % 4
  const rotation = ([0, 90, 180, 270] as const)[quarter] ?? 0
  return { rotation, exact: Math.abs(clockwise / 90 - Math.round(clockwise / 90)) < 0.01 }
}

function isMovingPicture(stream: ProbeStream): boolean {
  if (stream.codec_type !== 'video' || !isKnown(stream) || (stream.width ?? 0) <= 0) return false
  if (stream.disposition?.['attached_pic'] === 1 || stream.disposition?.['timed_thumbnails'] === 1)
    return false
  const still = parseRational(stream.avg_frame_rate) === null || stream.nb_frames === '1'
  return !(PICTURE_CODECS.has(stream.codec_name ?? '') && still)
}

const isKnown = (stream: ProbeStream): boolean =>
  stream.codec_name !== undefined && stream.codec_name !== 'unknown' && stream.codec_name !== 'none'
const isDefault = (stream: ProbeStream): boolean => stream.disposition?.['default'] === 1
const isCommentary = (stream: ProbeStream): boolean =>
  stream.disposition?.['comment'] === 1 || stream.disposition?.['visual_impaired'] === 1

function videoFacts(
  stream: ProbeStream,
  start: number,
  frameTimes: Measured['frameTimes'],
  warnings: string[],
): VideoFacts {
  const codedWidth = stream.width ?? 0
  const codedHeight = stream.height ?? 0
  const sampleAspectRatio = parseRational(stream.sample_aspect_ratio) ?? { numerator: 1, denominator: 1 }
  const { rotation, exact } = rotationOf(stream)
  if (!exact)
    warnings.push(
      'The picture is rotated by an angle that is not a quarter turn; the nearest quarter turn is used.',
    )
  const square = Math.max(
    1,
    Math.round((codedWidth * sampleAspectRatio.numerator) / sampleAspectRatio.denominator),
  )
  const upright = rotation === 0 || rotation === 180
  const pixelFormat = stream.pix_fmt ?? 'unknown'
  const transfer = stream.color_transfer ?? 'unknown'
  return {
    streamIndex: stream.index,
    codec: stream.codec_name ?? 'unknown',
    ...omitUndefined({ profile: stream.profile }),
    pixelFormat,
    codedWidth,
    codedHeight,
    width: upright ? square : codedHeight,
    height: upright ? codedHeight : square,
    rotation,
    sampleAspectRatio,
    ...decideFrameRate(parseRational(stream.avg_frame_rate), parseRational(stream.r_frame_rate), frameTimes),
    interlaced: INTERLACED.has(stream.field_order ?? ''),
    colourPrimaries: stream.color_primaries ?? 'unknown',
    colourTransfer: transfer,
    colourSpace: stream.color_space ?? 'unknown',
    colourRange: stream.color_range ?? 'unknown',
    hdr: HDR_TRANSFERS.has(transfer),
    bitsPerSample: numberOf(stream.bits_per_raw_sample) ?? parseBits(pixelFormat),
    startTime: Math.max(relativeTicks(stream, start), firstFrame(frameTimes, start)),
  }
}

/** When the first frame is shown, in ticks from the source's time 0: Matroska declares no start of a stream. */
function firstFrame(frameTimes: Measured['frameTimes'], start: number): Ticks {
  const first = frameTimes[0]?.[0]
  return first === undefined ? 0 : Math.max(0, secondsToTicks(first - start))
}

function audioFacts(stream: ProbeStream, start: number, warnings: string[]) {
  const channels = stream.channels ?? 1
  if (manyChannels({ channels }).manyChannels === true) warnings.push(manyChannelsSentence(channels))
  return {
    streamIndex: stream.index,
    codec: stream.codec_name ?? 'unknown',
    sampleRate: Math.round(numberOf(stream.sample_rate) ?? 0),
    channels,
    layout:
      stream.channel_layout ?? (channels === 1 ? 'mono' : channels === 2 ? 'stereo' : `${channels} channels`),
    language: language(stream),
    startTime: relativeTicks(stream, start),
  }
}

function captionTracks(probe: ProbeJson, warnings: string[]): SourceFacts['captions'] {
  const tracks: SourceFacts['captions'] = []
  for (const stream of probe.streams ?? []) {
    const codec = stream.codec_name ?? 'unknown'
    if (stream.codec_type !== 'subtitle' || UNREADABLE_CAPTIONS.has(codec)) continue
    if (TEXT_CAPTIONS.has(codec)) {
      tracks.push({
        streamIndex: stream.index,
        codec,
        language: language(stream),
        title: tagOf(stream.tags, 'title'),
        ...(stream.disposition?.['forced'] === 1 ? { forced: true } : {}),
      })
    } else {
      warnings.push(`A subtitle track (${codec}) is made of pictures, not text, and is not used.`)
    }
  }
  return tracks
}

function chapters(probe: ProbeJson, start: number, duration: Ticks): SourceFacts['chapters'] {
  const within = (text: string | undefined): Ticks =>
    Math.min(duration, Math.max(0, secondsToTicks((numberOf(text) ?? 0) - start)))
  return (probe.chapters ?? [])
    .map((chapter) => ({
      start: within(chapter.start_time),
      end: within(chapter.end_time),
      title: tagOf(chapter.tags, 'title'),
    }))
    .filter((chapter) => chapter.end > chapter.start)
}

function containerName(probe: ProbeJson): string {
  const name = probe.format?.format_name ?? 'unknown'
  if (name.startsWith('mov,')) return tagOf(probe.format?.tags, 'major_brand').trim() === 'qt' ? 'mov' : 'mp4'
  return name.split(',')[0] ?? name
}

function relativeTicks(stream: ProbeStream, start: number): Ticks {
  return Math.max(0, secondsToTicks((numberOf(stream.start_time) ?? start) - start))
}

function language(stream: ProbeStream): string {
  const text = tagOf(stream.tags, 'language')
  return text === '' ? 'und' : text
}

/** Bits in the name of the pixel format: `yuv420p10le`, `p010le`, `gray12be`; eight when it has none. */
function parseBits(pixelFormat: string): number {
  const bits = /(?:p|gray|gbrp|gbrap)0?(9|10|12|14|16)(?:le|be)?$/.exec(pixelFormat)?.[1]
  return bits === undefined ? 8 : Number(bits)
}
