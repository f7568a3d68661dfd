/** Arguments that read small pictures of a whole source with their times, for the quick analysis. PURE. */
import { SQUARE_PIXELS } from './colour.ts'
import { inputFile, inputGuard, sourceStart, listArguments } from './input.ts'

export interface LookFramesRequest {
  readonly path: string
  readonly streamIndex: number
  /** Keyframes only, which costs a fraction, or this many pictures per second. */
  readonly pictures: 'keyframes' | number
  /** Minimum number of seconds between pictures. */
  readonly apart: number
  readonly width: number
  readonly height: number
}

/**
 * Raw BGR pictures, one after the other, on stdout. On fd 3 comes one line per picture with its time, in the unit that an
 * earlier line such as `#tb 0: 1/25` names (see `frameTimes`).
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
  return listArguments`
    ${sourceStart()} ${pictures === 'keyframes' ? ['-skip_frame', 'nokey'] : []} ${inputGuard()} -an -sn
    -dn -i ${inputFile(path)} -filter_complex [0:${streamIndex}]${filters.join(',')} -map [picture]
    -vsync 0 -f rawvideo pipe:1 -map [time] -vsync 0 -c:v rawvideo -flush_packets 1 -f framecrc pipe:3
  `
}

/** Parses the lines of fd 3 as they arrive; each call returns the times in seconds of the pictures that it completes. */
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
