/** Arguments that read small grey pictures of a whole source, in which logos are searched for. PURE. */
import { SQUARE_PIXELS } from './colour.ts'
import { inputFile, inputGuard, sourceStart, listArguments } from './input.ts'

export interface LogoFramesRequest {
  readonly path: string
  readonly streamIndex: number
  /** Decode keyframes only, which is many times faster; a long source has enough of them. */
  readonly keyframesOnly: boolean
  /** Minimum number of seconds between pictures. */
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
  return listArguments`
    ${sourceStart()} ${keyframesOnly ? ['-skip_frame', 'nokey'] : []} ${inputGuard()} -an -sn -dn
    -i ${inputFile(path)} -map 0:${streamIndex} -vf ${filters.join(',')} -vsync 0 -f rawvideo pipe:1
  `
}
