/** Arguments that read small, evenly spaced pictures of a range of a source for picture detection. PURE. */
import type { HdrColours } from '../../../server/contract/colour-matrix.ts'
import { SQUARE_PIXELS, toneMapFilters } from './colour.ts'
import { inputGuard, seconds, sourceStart, listArguments, looseSeek, type Seeking } from './input.ts'

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
  /** 8-bit grey pictures in place of BGR. */
  readonly grey?: true
}

/** Raw BGR pictures (or grey ones), one after the other, on stdout. Picture `n` shows the moment `start + n / rate`. */
export function framesArguments(request: FramesRequest): string[] {
  const { path, streamIndex, start, length, rate, width, height, hdr, grey } = request
  const { from, drop } = looseSeek(start, request)
  const filters = [
    'yadif=deint=interlaced',
    SQUARE_PIXELS,
    `${heldPictures(String(rate))},trim=end=${seconds(drop + length)}`,
    `scale=${width}:${height}:flags=area`,
    ...(hdr ? [toneMapFilters(request)] : []),
    grey === true ? 'format=gray' : 'format=bgr24',
  ]
  return listArguments`
    ${sourceStart()} ${inputGuard()} -noaccurate_seek -ss ${seconds(from)} -an -sn -dn
    -i file:${path} -map 0:${streamIndex} -vf ${filters.join(',')}
    ${drop > 0 ? ['-ss', seconds(drop)] : []} -f rawvideo pipe:1
  `
}

/**
 * Filters that give pictures at `rate` from time 0, without end. The first may be an earlier picture that is still shown (a slide,
 * a screen), however old, or otherwise the first that comes; the last one of the stream is repeated.
 */
export function heldPictures(rate: string): string {
  const fps = `fps=${rate}:round=near`
  return `${fps},tpad=stop=-1:stop_mode=clone,${fps}:start_time=0`
}

interface SparseFrames {
  readonly path: string
  readonly streamIndex: number
  /** Minimum number of seconds between pictures. */
  readonly apart: number
  readonly width: number
  readonly height: number
}

/** Pictures at least `apart` from each other, in their size. */
const sparse = ({ apart, width, height }: SparseFrames): string[] => [
  `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${apart.toFixed(3)})'`,
  SQUARE_PIXELS,
  `scale=${width}:${height}:flags=area`,
]

export interface LogoFramesRequest extends SparseFrames {
  /** Decode keyframes only, which is many times faster; a long source has enough of them. */
  readonly keyframesOnly: boolean
}

/** Raw 8-bit grey pictures, one after the other, on stdout. */
export function logoFramesArguments(request: LogoFramesRequest): string[] {
  const { path, streamIndex, keyframesOnly } = request
  const filters = [...sparse(request), 'format=gray']
  return listArguments`
    ${sourceStart()} ${keyframesOnly ? ['-skip_frame', 'nokey'] : []} ${inputGuard()} -an -sn -dn
    -i file:${path} -map 0:${streamIndex} -vf ${filters.join(',')} -vsync 0 -f rawvideo pipe:1
  `
}

export interface LookFramesRequest extends SparseFrames, Seeking {
  /** Seconds from the source's time 0; null: to its end. */
  readonly start: number
  readonly end: number | null
  /** Keyframes only, which costs a fraction, or this many pictures per second. */
  readonly pictures: 'keyframes' | number
}

/**
 * Raw BGR pictures, one after the other, on stdout. On fd 3 comes one line per picture with its time, in the unit that an
 * earlier line such as `#tb 0: 1/25` names (see `frameTimes`). Times count from where reading begins (`looseSeek`), which may
 * be before `start`.
 */
export function lookFramesArguments(request: LookFramesRequest): string[] {
  const { path, streamIndex, pictures, start, end } = request
  const { from } = looseSeek(start, request)
  const rate = pictures === 'keyframes' ? [] : [`fps=${pictures}`]
  const filters = [...rate, ...sparse(request), 'format=bgr24,split[picture][time]']
  return listArguments`
    ${sourceStart()} ${pictures === 'keyframes' ? ['-skip_frame', 'nokey'] : []} ${inputGuard()} -an -sn
    -dn ${from > 0 ? ['-ss', seconds(from)] : []} ${end === null ? [] : ['-t', seconds(end - from)]}
    -i file:${path} -filter_complex [0:${streamIndex}]${filters.join(',')} -map [picture]
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
