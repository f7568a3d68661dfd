/** Arguments that put small pictures of a source side by side into one JPEG. PURE. */
import { SQUARE_PIXELS, TONE_MAP } from './colour.ts'
import { ffmpegStart, inputFile, inputGuard, seconds } from './input.ts'
import { looseSeek } from './loose-seek.ts'

export interface StripRequest {
  readonly path: string
  readonly output: string
  /** Of the first picture, seconds from the source's time 0. */
  readonly start: number
  readonly spacingSeconds: number
  readonly count: number
  readonly width: number
  readonly height: number
  readonly videoStream: number
  readonly hdr: boolean
  /** A seek in the container may land between key frames. */
  readonly seeksLoosely?: boolean
}

/** Further apart than this, seconds, each picture is sought by itself. */
const ONE_BY_ONE = 4

export function stripArguments(request: StripRequest): string[] {
  return request.spacingSeconds > ONE_BY_ONE ? soughtOneByOne(request) : decodedInOneGo(request)
}

const small = ({ width, height, hdr }: StripRequest): string[] => [
  SQUARE_PIXELS,
  `scale=${width}:${height}:flags=fast_bilinear`,
  ...(hdr ? [TONE_MAP] : []),
]

const finish = (output: string): string[] => [
  ...['-frames:v', '1', '-an', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '5', '-f', 'mjpeg'],
  inputFile(output),
]

/** Pictures that others are made from are enough, and their edges need no smoothing at this size. */
function decodedInOneGo(request: StripRequest): string[] {
  const { path, output, start, spacingSeconds, count, videoStream } = request
  const { from, drop } = looseSeek(start, request.seeksLoosely)
  const length = drop + count * spacingSeconds
  const fromHere = drop > 0 ? [`trim=start=${seconds(drop)},setpts=PTS-${seconds(drop)}/TB`] : []
  return [
    ...[...ffmpegStart(), '-y', ...inputGuard(), '-skip_frame', 'noref', '-skip_loop_filter', 'all'],
    ...['-ss', seconds(from), '-t', seconds(length), '-an', '-sn', '-dn', '-i', inputFile(path)],
    ...['-map', `0:${videoStream}`, '-vf'],
    [
      ...fromHere,
      `fps=${1 / spacingSeconds}:start_time=0`,
      ...small(request),
      'format=yuvj420p',
      `tile=${count}x1`,
    ].join(','),
    ...finish(output),
  ]
}

/** The key frame before each moment: nothing in between is read. */
function soughtOneByOne(request: StripRequest): string[] {
  const { path, output, start, spacingSeconds, count, videoStream } = request
  const places = Array.from({ length: count }, (_, index) => start + index * spacingSeconds)
  const inputs = places.flatMap((place) => [
    ...[...inputGuard(), '-threads', '1', '-skip_frame', 'nokey', '-noaccurate_seek', '-ss', seconds(place)],
    ...['-an', '-sn', '-dn', '-i', inputFile(path)],
  ])
  const pictures = places.map(
    (_, index) =>
      `[${index}:${videoStream}]${[...small(request), 'format=yuvj420p', 'setpts=PTS-STARTPTS'].join(',')}[p${index}]`,
  )
  const row =
    count === 1
      ? '[p0]null[row]'
      : `${places.map((_, index) => `[p${index}]`).join('')}hstack=inputs=${count}[row]`
  return [
    ...[...ffmpegStart(), '-y', ...inputs, '-filter_complex', [...pictures, row].join(';')],
    ...['-map', '[row]', ...finish(output)],
  ]
}
