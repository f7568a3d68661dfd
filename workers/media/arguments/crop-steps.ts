/**
 * Places between pixels for a rectangle that moves. ffmpeg's `crop` knows whole pairs of pixels only, so that a slow move visibly jerks.
 * But it can cut twice, before the picture is scaled and after: a pair of pixels of the scaled picture is another length than a
 * pair of the source, and the two together reach places between, as the two scales of a vernier do. Resampling costs no more than
 * scaling does anyway. Where the scaled size has no such ratio to the source's, the picture is scaled to one that has, and then to the
 * output's. PURE.
 */
import { commonDivisor } from '../../../server/contract/time.ts'
import { decimal, even } from './colour.ts'

/** How one axis is cut, scaled, and cut again. Lengths in pixels. */
export interface AxisSteps {
  /** What is cut out of the source, with a margin. */
  readonly coarse: number
  /** What that is scaled to. */
  readonly scaled: number
  /** What is cut out of the scaled picture. */
  readonly length: number
  /** What the source is continued by, before its first pixel and after its last, so that the margin is never outside. */
  readonly before: number
  readonly after: number
  /** Where the first cut and the second begin: expressions. */
  readonly place: string
  readonly rest: string
}

export interface MovingAxis {
  /** Of the rectangle, and of the source: pixels of the source. */
  readonly size: number
  readonly all: number
  /** Of the output. */
  readonly output: number
  /** Where the rectangle begins, as an expression, and the least and the most that it comes to. */
  readonly path: string
  readonly least: number
  readonly most: number
}

/** So many pixels of the source become so many; no number but one divides both. */
interface Ratio {
  readonly source: number
  readonly scaled: number
}

/** How far from its place a rectangle may be seen: pixels of the output. */
export const MOST_OFF = 0.12
/** How much larger or smaller the picture may become for a ratio of small numbers: a third of a pixel at the edges of 606. */
const CLOSE = 0.001
/** With larger numbers the margin would cost more than scaling twice. */
const MOST_SCALED = 48
/** The first of two scalings leaves so much more than what the output holds of the source, so that nothing is lost. */
const ENLARGED = 1.5

/** The ratio to scale by, and to how many pixels: the output's own length where that will do. */
function chooseRatio(size: number, output: number): Ratio & { readonly length: number } {
  const least = Math.max(2, Math.ceil(output / (size * MOST_OFF)))
  for (let scaled = least; scaled <= Math.max(MOST_SCALED, least); scaled++) {
    const source = Math.round((scaled * size) / output)
    const isClose = Math.abs((source * output) / (scaled * size) - 1) <= CLOSE
    if (isClose && commonDivisor(source, scaled) === 1) return { source, scaled, length: output }
  }
  const target = Math.max(output, Math.min(size, output) * ENLARGED)
  // Any ratio will do, so that half as far off costs nothing.
  const scaled = 2 * least
  let source = Math.max(1, Math.floor((scaled * size) / target))
  while (commonDivisor(source, scaled) > 1) source--
  return { source, scaled, length: even((size * scaled) / source) }
}

/** How to cut a rectangle that moves along this axis out at any place. */
export function planAxis({ size, all, output, path, least, most }: MovingAxis): AxisSteps {
  const { source, scaled, length } = chooseRatio(size, output)
  // Pixels that scaling reads beside its place: of the scaled picture.
  const reach = Math.ceil(2 * Math.max(1, scaled / source)) + 1
  const first = Math.ceil(reach / 2)
  const times = 2 * Math.ceil((length + 2 * (first + scaled - 1) + reach) / scaled / 2)
  const coarse = source * times
  // What is seen is as long as the rectangle but for the ratio's rounding; both have the same middle.
  const inset = (size - (length * source) / scaled) / 2
  const step = 2 / scaled
  const back = (2 * source * (first + scaled - 1)) / scaled
  const before = upToPair(back + step - (least + inset))
  const after = upToPair(most + inset + step - (2 * source * first) / scaled + coarse - wholePairs(all))
  // The place in steps; and the pairs of the scaled picture that make up what no pairs of the source are.
  const steps = `st(0\\,round((${path})*${decimal(scaled / 2)}+${decimal(inset / step)}))`
  const pairs = `(${first}+mod(${inverse(source, scaled)}*ld(0)-${first}\\,${scaled}))`
  return {
    coarse,
    scaled: scaled * times,
    length,
    before,
    after,
    place: `${before}+2*(${steps}-${source}*${pairs})/${scaled}`,
    // Of the place only its storing is wanted.
    rest: `2*(0*${steps}+${pairs})`,
  }
}

/** Of an odd length the last pixel is left out: colours have one for each pair. */
export const wholePairs = (pixels: number): number => Math.floor(pixels / 2) * 2

const upToPair = (pixels: number): number => 2 * Math.max(0, Math.ceil(pixels / 2))

/** What `value` is to be multiplied by to leave a rest of one when divided by `by`. */
function inverse(value: number, by: number): number {
  for (let factor = 1; factor < by; factor++) if ((factor * value) % by === 1) return factor
  return 1
}
