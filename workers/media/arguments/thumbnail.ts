/** Arguments that take small pictures of several moments of a source in one run. PURE. */
import type { Rect } from '../../../server/contract/composition.ts'
import type { Rational } from '../../../server/contract/time.ts'
import { SQUARE_PIXELS } from './colour.ts'
import { heldPictures } from './frames.ts'
import { inputGuard, seconds, sourceStart, listArguments, looseSeek, type Seeking } from './input.ts'

export interface LooksRequest extends Seeking {
  readonly path: string
  readonly videoStream: number
  /** The clip's frames per second: a look takes the picture shown then, however long ago it began. */
  readonly rate: Rational
  readonly looks: readonly {
    /** From the source's time 0. */
    readonly seconds: number
    /** The area to take, in display pixels of the source. */
    readonly crop: Rect
  }[]
  /** Size of the pictures. */
  readonly grey: { readonly width: number; readonly height: number }
}

/** Writes a small grey picture per look as raw bytes to pipe 3, 4, ... */
export function looksArguments(request: LooksRequest): string[] {
  const { path, looks } = request
  const inputs = looks.flatMap(
    (look) => listArguments`
    ${inputGuard()} -noaccurate_seek -ss ${seconds(looseSeek(look.seconds, request).from)} -an -sn -dn
    -i file:${path}
  `,
  )
  const graphs = looks.map((_, index) => graph(request, index))
  const outputs = looks.flatMap(
    (_, index) => listArguments`-map [grey${index}] -frames:v 1 -f rawvideo pipe:${3 + index}`,
  )
  return [...sourceStart(), '-y', ...inputs, '-filter_complex', graphs.join(';'), ...outputs]
}

function graph(request: LooksRequest, index: number): string {
  const { looks, grey, videoStream, rate } = request
  const { drop } = looseSeek(looks[index]?.seconds ?? 0, request)
  const { x = 0, y = 0, width = 0, height = 0 } = looks[index]?.crop ?? {}
  const [w, h, left, top] = [width, height, x, y].map((side) => Math.max(0, Math.round(side)))
  const picture = [
    `${heldPictures(`${rate.numerator}/${rate.denominator}`)},trim=start=${seconds(drop)}`,
    'yadif=deint=interlaced',
    SQUARE_PIXELS,
    `crop=w='min(iw,${w})':h='min(ih,${h})':x=${left}:y=${top}`,
    `scale=${grey.width}:${grey.height}:flags=lanczos`,
    'format=gray',
  ].join(',')
  return `[${index}:${videoStream}]${picture}[grey${index}]`
}
