/** Arguments that cut ranges out of a source. PURE. Times are seconds from the source's time 0. */
import type { HdrColours } from '../../../server/contract/colour-matrix.ts'
import { firstTwoChannels } from './audio.ts'
import { SQUARE_PIXELS, toneMapFilters } from './colour.ts'
import { heldPictures } from './frames.ts'
import {
  inputGuard,
  PATIENT_MUXER,
  seconds,
  sourceStart,
  listArguments,
  looseSeek,
  SOUND_LEAD_SECONDS,
  type Seeking,
} from './input.ts'

interface Stretch extends Seeking {
  readonly path: string
  readonly output: string
  readonly start: number
  readonly duration: number
  readonly videoStream: number | null
  readonly audioStream: number | null
  /** The first two channels of the sound are used. */
  readonly manyChannels?: true
  /** Where the picture begins: a range that starts before is read from the file's start, or a seek would lose its sound. */
  readonly pictureStart?: number
}

/**
 * Copies the streams without encoding. `start` must be the time of a keyframe: earlier packets are dropped in both streams,
 * so the keyframe becomes the first frame of the file, at its time 0.
 */
export function copyCutArguments(stretch: Stretch): string[] {
  return [...open(stretch), '-c', 'copy', '-copypriorss', '0', ...finish(stretch.output)]
}

export interface CutPicture extends HdrColours {
  /** Output size; even numbers. */
  readonly width: number
  readonly height: number
  /** Frames per second as `30000/1001`. */
  readonly rate: string
  readonly interlaced: boolean
  readonly hdr: boolean
}

/**
 * Encodes for playback in a browser. The first frame at or after `start` becomes the first of the file, at its time 0.
 * `scrub`: keyframes are so frequent that seeking decodes only a few frames, and there are no B-frames.
 */
export function encodeCutArguments(stretch: Stretch, picture: CutPicture | null, scrub = false): string[] {
  return [
    ...open(stretch, ['-noaccurate_seek']),
    ...(picture === null ? [] : ['-vf', pictureFilters(picture), ...pictureEncoder(picture.hdr, scrub)]),
    ...(stretch.audioStream === null
      ? []
      : listArguments`
        -af ${firstTwoChannels(stretch)}atrim=start=0,aresample=async=1:first_pts=0 -c:a aac -b:a 128k
        -ac 2
      `),
    ...finish(stretch.output),
  ]
}

function open(stretch: Stretch, seeking: readonly string[] = []): string[] {
  const { start, pictureStart = 0 } = stretch
  const { from, drop } = start <= pictureStart ? { from: 0, drop: start } : seek(stretch)
  const streams = [stretch.videoStream, stretch.audioStream].filter((index) => index !== null)
  // Chapters and data tracks belong to the whole source and make no sense in a part of it.
  return listArguments`
    ${sourceStart()} -y ${inputGuard()} ${seeking} ${from > 0 ? ['-ss', seconds(from)] : []}
    -i file:${stretch.path} ${drop > 0 ? ['-ss', seconds(drop)] : []} -t ${seconds(stretch.duration)}
    ${streams.flatMap((index) => ['-map', `0:${index}`])} -map_chapters -1 -map_metadata -1 -sn -dn
  `
}

function seek(stretch: Stretch): { readonly from: number; readonly drop: number } {
  if (stretch.videoStream !== null) return looseSeek(stretch.start, stretch)
  const from = Math.max(0, stretch.start - SOUND_LEAD_SECONDS)
  return { from, drop: stretch.start - from }
}

function finish(output: string): string[] {
  return listArguments`${PATIENT_MUXER} -movflags +faststart -f mp4 file:${output}`
}

function pictureFilters(picture: CutPicture): string {
  return [
    ...(picture.interlaced ? ['yadif=deint=interlaced'] : []),
    heldPictures(picture.rate),
    SQUARE_PIXELS,
    `scale=${picture.width}:${picture.height}:flags=bicubic`,
    ...(picture.hdr ? [toneMapFilters(picture)] : []),
    'format=yuv420p',
  ].join(',')
}

/** Distance of keyframes in files for scrubbing: about a quarter of a second. */
const SCRUB_GROUP = 8

function pictureEncoder(toneMapped: boolean, scrub: boolean): string[] {
  const encoder = scrub
    ? listArguments`
      -c:v libx264 -preset ultrafast -tune fastdecode -crf 24 -bf 0 -g ${SCRUB_GROUP}
      -keyint_min ${SCRUB_GROUP} -sc_threshold 0
    `
    : listArguments`-c:v libx264 -preset veryfast -crf 22 -g 60 -profile:v high`
  // The tone map produces BT.709; otherwise the colours, and their tags, stay those of the source.
  if (!toneMapped) return encoder
  return listArguments`${encoder} -color_primaries bt709 -color_trc bt709 -colorspace bt709`
}
