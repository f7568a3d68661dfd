/** Arguments that read small pictures of a whole source together with their times, for a quick look at it. PURE. */
import { SQUARE_PIXELS } from './colour.ts'
import { inputFile, inputGuard, sourceStart } from './input.ts'

export interface LookFramesRequest {
  readonly path: string
  readonly streamIndex: number
  /** Keyframes alone, which costs a fraction; else so many pictures a second. */
  readonly pictures: 'keyframes' | number
  /** Seconds between pictures, at least. */
  readonly apart: number
  readonly width: number
  readonly height: number
}

/**
 * Raw BGR pictures, one after the other, on stdout; on fd 3 a line for each with its time in the unit that a line
 * `#tb 0: 1/25` before it names (see `frameTimes`).
 */
export function lookFramesArguments(request: LookFramesRequest): string[] {
  const { path, streamIndex, pictures, apart, width, height } = request
  const filters = [
    ...(pictures === 'keyframes' ? [] : [`fps=${pictures}`]),
    `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${apart.toFixed(3)})'`,
    SQUARE_PIXELS,
    `scale=${width}:${height}:flags=area`,
    'format=bgr24,split[picture][time]',
  ]
  return [
    ...sourceStart(),
    ...(pictures === 'keyframes' ? ['-skip_frame', 'nokey'] : []),
    ...inputGuard(),
    '-an',
    '-sn',
    '-dn',
    '-i',
    inputFile(path),
    '-filter_complex',
    `[0:${streamIndex}]${filters.join(',')}`,
    '-map',
    '[picture]',
    '-vsync',
    '0',
    '-f',
    'rawvideo',
    'pipe:1',
    '-map',
    '[time]',
    '-vsync',
    '0',
    '-c:v',
    'rawvideo',
    '-flush_packets',
    '1',
    '-f',
    'framecrc',
    'pipe:3',
  ]
}

/** Reads the lines of fd 3 as they come; each call gives the seconds of the pictures that it completes. */
export function frameTimes(): (text: string) => number[] {
  let rest = ''
  let seconds = 0
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    return lines.flatMap((line) => {
      const unit = /^#tb \d+: (\d+)\/(\d+)/.exec(line)
      if (unit !== null) seconds = Number(unit[1]) / Number(unit[2])
      const [, , stamp] = line.split(',')
      return line.startsWith('#') || stamp === undefined ? [] : [Number(stamp) * seconds]
    })
  }
}
