/** Arguments that look at several moments of a source in one run. PURE. */
import type { Rect } from '../../../server/contract/composition.ts'
import { SQUARE_PIXELS } from './colour.ts'
import { ffmpegStart, inputFile, inputGuard, seconds } from './input.ts'
import { looseSeek } from './loose-seek.ts'

export interface LooksRequest {
  readonly path: string
  readonly videoStream: number
  /** A seek in the container may land between key frames. */
  readonly seeksLoosely?: boolean
  readonly looks: readonly {
    /** From the source's time 0. */
    readonly seconds: number
    /** What is looked at, display pixels of the source. */
    readonly crop: Rect
  }[]
  /** Size of the pictures. */
  readonly grey: { readonly width: number; readonly height: number }
}

/** For each look a small grey picture as raw bytes on pipe 3, 4, ... */
export function looksArguments(request: LooksRequest): string[] {
  const { path, looks, seeksLoosely } = request
  const inputs = looks.flatMap((look) => [
    ...[
      ...inputGuard(),
      '-ss',
      seconds(looseSeek(look.seconds, seeksLoosely).from),
      '-an',
      '-sn',
      '-dn',
      '-i',
      inputFile(path),
    ],
  ])
  const graphs = looks.map((_, index) => graph(request, index))
  const outputs = looks.flatMap((_, index) => [
    ...['-map', `[grey${index}]`, '-frames:v', '1', '-f', 'rawvideo', `pipe:${3 + index}`],
  ])
  return [...ffmpegStart(), '-y', ...inputs, '-filter_complex', graphs.join(';'), ...outputs]
}

function graph({ looks, grey, videoStream, seeksLoosely }: LooksRequest, index: number): string {
  const { drop } = looseSeek(looks[index]?.seconds ?? 0, seeksLoosely)
  const { x = 0, y = 0, width = 0, height = 0 } = looks[index]?.crop ?? {}
  const [w, h, left, top] = [width, height, x, y].map((side) => Math.max(0, Math.round(side)))
  const picture = [
    ...(drop > 0 ? [`trim=start=${seconds(drop)}`] : []),
    'yadif=deint=interlaced',
    SQUARE_PIXELS,
    `crop=w='min(iw,${w})':h='min(ih,${h})':x=${left}:y=${top}`,
    `scale=${grey.width}:${grey.height}:flags=lanczos`,
    'format=gray',
  ].join(',')
  return `[${index}:${videoStream}]${picture}[grey${index}]`
}
