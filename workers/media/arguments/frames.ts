/** Arguments that read small pictures of a stretch of a source, evenly spaced, for eyes that look at them. PURE. */
import { SQUARE_PIXELS, TONE_MAP } from './colour.ts'
import { ffmpegStart, inputFile, inputGuard, seconds } from './input.ts'
import { looseSeek } from './loose-seek.ts'

export interface FramesRequest {
  readonly path: string
  readonly streamIndex: number
  /** Seconds from the source's time 0, and how many of them. */
  readonly start: number
  readonly length: number
  /** Pictures a second. */
  readonly rate: number
  /** Size of the pictures; the source's shape is not kept. */
  readonly width: number
  readonly height: number
  readonly hdr: boolean
  /** A seek in the container may land between key frames. */
  readonly seeksLoosely?: boolean
}

/** Raw BGR pictures, one after the other, on stdout. Picture `n` is of `start + n / rate`. */
export function framesArguments(request: FramesRequest): string[] {
  const { path, streamIndex, start, length, rate, width, height, hdr } = request
  const { from, drop } = looseSeek(start, request.seeksLoosely)
  const filters = [
    'yadif=deint=interlaced',
    SQUARE_PIXELS,
    `fps=${rate}:start_time=0`,
    `scale=${width}:${height}:flags=area`,
    ...(hdr ? [TONE_MAP] : []),
    'format=bgr24',
  ]
  return [
    ...[...ffmpegStart(), ...inputGuard(), '-ss', seconds(from), '-t', seconds(drop + length)],
    ...['-an', '-sn', '-dn'],
    ...['-i', inputFile(path), '-map', `0:${streamIndex}`, '-vf', filters.join(',')],
    ...(drop > 0 ? ['-ss', seconds(drop)] : []),
    ...['-f', 'rawvideo', 'pipe:1'],
  ]
}
