/** Arguments that read small pictures of a stretch of a source, evenly spaced, for eyes that look at them. PURE. */
import type { HdrColours } from '../../../server/contract/colour-matrix.ts'
import { SQUARE_PIXELS, toneMapFilters } from './colour.ts'
import { heldPictures } from './still-pictures.ts'
import { inputFile, inputGuard, seconds, sourceStart } from './input.ts'
import { looseSeek, type Seeking } from './loose-seek.ts'

export interface FramesRequest extends HdrColours, Seeking {
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
}

/** Raw BGR pictures, one after the other, on stdout. Picture `n` is of `start + n / rate`. */
export function framesArguments(request: FramesRequest): string[] {
  const { path, streamIndex, start, length, rate, width, height, hdr } = request
  const { from, drop } = looseSeek(start, request)
  const filters = [
    'yadif=deint=interlaced',
    SQUARE_PIXELS,
    `${heldPictures(String(rate))},trim=end=${seconds(drop + length)}`,
    `scale=${width}:${height}:flags=area`,
    ...(hdr ? [toneMapFilters(request)] : []),
    'format=bgr24',
  ]
  return [
    ...sourceStart(),
    ...inputGuard(),
    '-noaccurate_seek',
    '-ss',
    seconds(from),
    '-an',
    '-sn',
    '-dn',
    '-i',
    inputFile(path),
    '-map',
    `0:${streamIndex}`,
    '-vf',
    filters.join(','),
    ...(drop > 0 ? ['-ss', seconds(drop)] : []),
    '-f',
    'rawvideo',
    'pipe:1',
  ]
}
