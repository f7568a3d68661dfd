/** Arguments that read small grey pictures from the whole of a source, for the eye that looks for a logo. PURE. */
import { SQUARE_PIXELS } from './colour.ts'
import { inputFile, inputGuard, sourceStart } from './input.ts'

export interface LogoFramesRequest {
  readonly path: string
  readonly streamIndex: number
  /** Decode keyframes alone: many times faster, and there are enough of them in a long source. */
  readonly keyframesOnly: boolean
  /** Seconds between pictures, at least. */
  readonly apart: number
  readonly width: number
  readonly height: number
}

/** Raw 8-bit grey pictures, one after the other, on stdout. */
export function logoFramesArguments(request: LogoFramesRequest): string[] {
  const { path, streamIndex, keyframesOnly, apart, width, height } = request
  const filters = [
    `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${apart.toFixed(3)})'`,
    SQUARE_PIXELS,
    `scale=${width}:${height}:flags=area`,
    'format=gray',
  ]
  return [
    ...sourceStart(),
    ...(keyframesOnly ? ['-skip_frame', 'nokey'] : []),
    ...inputGuard(),
    '-an',
    '-sn',
    '-dn',
    '-i',
    inputFile(path),
    '-map',
    `0:${streamIndex}`,
    '-vf',
    filters.join(','),
    '-vsync',
    '0',
    '-f',
    'rawvideo',
    'pipe:1',
  ]
}
