/** Arguments that read small, evenly spaced pictures of a range of a source for picture detection. PURE. */
import type { HdrColours } from '../../../server/contract/colour-matrix.ts'
import { SQUARE_PIXELS, toneMapFilters } from './colour.ts'
import { heldPictures } from './still-pictures.ts'
import { inputFile, inputGuard, seconds, sourceStart, listArguments } from './input.ts'
import { looseSeek, type Seeking } from './loose-seek.ts'

export interface FramesRequest extends HdrColours, Seeking {
  readonly path: string
  readonly streamIndex: number
  /** Start in seconds from the source's time 0, and the length in seconds. */
  readonly start: number
  readonly length: number
  /** Pictures per second. */
  readonly rate: number
  /** Size of the pictures; the aspect ratio of the source is not preserved. */
  readonly width: number
  readonly height: number
  readonly hdr: boolean
}

/** Raw BGR pictures, one after the other, on stdout. Picture `n` shows the moment `start + n / rate`. */
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
  return listArguments`
    ${sourceStart()} ${inputGuard()} -noaccurate_seek -ss ${seconds(from)} -an -sn -dn
    -i ${inputFile(path)} -map 0:${streamIndex} -vf ${filters.join(',')}
    ${drop > 0 ? ['-ss', seconds(drop)] : []} -f rawvideo pipe:1
  `
}
