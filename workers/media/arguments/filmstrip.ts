/** Arguments that put small pictures of a source side by side into one JPEG. PURE. */
import type { HdrColours } from '../../../server/contract/colour-matrix.ts'
import { SQUARE_PIXELS, toneMapFilters } from './colour.ts'
import { heldPictures } from './frames.ts'
import { inputGuard, seconds, sourceStart, listArguments, looseSeek, type Seeking } from './input.ts'

export interface StripRequest extends HdrColours, Seeking {
  readonly path: string
  readonly output: string
  /** Time of the first picture, seconds from the source's time 0. */
  readonly start: number
  readonly spacingSeconds: number
  readonly count: number
  readonly width: number
  readonly height: number
  readonly videoStream: number
  readonly hdr: boolean
}

/** Pictures further apart than this, in seconds, are sought one by one. */
const ONE_BY_ONE = 4

export function stripArguments(request: StripRequest): string[] {
  return request.spacingSeconds > ONE_BY_ONE ? soughtOneByOne(request) : decodedInOneGo(request)
}

const small = (request: StripRequest): string[] => [
  SQUARE_PIXELS,
  `scale=${request.width}:${request.height}:flags=fast_bilinear`,
  ...(request.hdr ? [toneMapFilters(request)] : []),
]

const finish = (output: string): string[] =>
  listArguments`-frames:v 1 -an -c:v mjpeg -pix_fmt yuvj420p -q:v 5 -f mjpeg file:${output}`

/** Decodes reference frames only, without deblocking, which is not visible at this size. */
function decodedInOneGo(request: StripRequest): string[] {
  const { path, output, start, spacingSeconds, count, videoStream } = request
  const { from, drop } = looseSeek(start, request)
  const filters = [
    ...(drop > 0 ? [`setpts=PTS-${seconds(drop)}/TB`] : []),
    heldPictures(String(1 / spacingSeconds)),
    ...small(request),
    `format=yuvj420p,tile=${count}x1`,
  ]
  // Earlier frames are not dropped: the picture shown now may have begun long ago. The run ends when the row is full.
  return listArguments`
    ${sourceStart()} -y ${inputGuard()} -skip_frame noref -skip_loop_filter all -noaccurate_seek
    -ss ${seconds(from)} -an -sn -dn -i file:${path} -map 0:${videoStream} -vf ${filters.join(',')}
    ${finish(output)}
  `
}

/** Takes the keyframe before each moment; nothing in between is read. */
function soughtOneByOne(request: StripRequest): string[] {
  const { path, output, start, spacingSeconds, count, videoStream } = request
  const places = Array.from({ length: count }, (_, index) => start + index * spacingSeconds)
  const inputs = places.flatMap(
    (place) => listArguments`
    ${inputGuard()} -threads 1 -skip_frame nokey -noaccurate_seek -ss ${seconds(place)} -an -sn -dn
    -i file:${path}
  `,
  )
  const pictures = places.map(
    (_, index) =>
      `[${index}:${videoStream}]${[...small(request), 'format=yuvj420p', 'setpts=PTS-STARTPTS'].join(',')}[p${index}]`,
  )
  const row =
    count === 1
      ? '[p0]null[row]'
      : `${places.map((_, index) => `[p${index}]`).join('')}hstack=inputs=${count}[row]`
  return listArguments`
    ${sourceStart()} -y ${inputs} -filter_complex ${[...pictures, row].join(';')} -map [row]
    ${finish(output)}
  `
}
