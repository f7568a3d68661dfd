/** Filters that bring a source's picture into the form that all later filters expect. PURE. */
import type { HdrColours } from '../../../server/contract/colour-matrix.ts'
import type { Composition } from '../../../server/contract/composition.ts'
import type { Rgba } from '../../compositor/colour.ts'

/** Makes pixels square; does nothing if they are square already. */
export const SQUARE_PIXELS = "scale=w='round(iw*sar)':h=ih,setsar=1"

/**
 * Converts HDR (PQ or HLG) to BT.709 with eight bits. Expensive, so apply it after scaling down. Reference white of ordinary
 * video is at 203 nits (BT.2408). Luminance up to half of that, where faces are, is unchanged; brighter light up to
 * 1000 nits is compressed into the rest of the range. HLG's system gamma is applied to each colour alone, which makes red and yellow a
 * little stronger: with `agamma=0`, which should be exact, greys come out a quarter too bright.
 */
export function toneMapFilters({ colourMatrix, unknownPrimaries }: HdrColours): string {
  // HDR without colour tags is BT.2020 (BT.2100); zscale does not guess, and does not support constant luminance.
  const matrix = colourMatrix === undefined || colourMatrix === 'bt2020' ? 'min=2020_ncl:' : ''
  const primaries = unknownPrimaries === true ? 'pin=2020:p=2020:' : ''
  return [
    `zscale=${primaries}${matrix}t=linear:npl=203`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=mobius:param=0.5:peak=4.93:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
    'format=yuv420p',
  ].join(',')
}

/** ffmpeg expressions. PURE. */

export interface Piece {
  /** The piece applies from this value of the variable on. */
  readonly from: number
  readonly value: string
}

/** A balanced tree of `if(lt(v,..))`, because ffmpeg would evaluate a chain to its end for every frame. Pieces are sorted. */
export function piecewise(variable: string, pieces: readonly Piece[]): string {
  const [only] = pieces
  if (only === undefined) throw new Error('a piecewise expression needs a piece')
  if (pieces.length === 1) return only.value
  const middle = Math.ceil(pieces.length / 2)
  const edge = pieces[middle]?.from ?? 0
  return `if(lt(${variable}\\,${edge})\\,${piecewise(variable, pieces.slice(0, middle))}\\,${piecewise(variable, pieces.slice(middle))})`
}

/**
 * The same filters for a stream whose first frame is number `frames` of the whole: wherever they read a frame's number (`n`, or
 * `in`, from 1), they read that of the whole. Values are computed from the same terms, so they are equal to the last bit.
 */
export function countFrom(filters: string, frames: number): string {
  return frames === 0 ? filters : filters.replaceAll(/(?<!\w)(n|in)(?![\w=])/g, `($1+${frames})`)
}

/** A number as ffmpeg reads it: without an exponent, and with no more digits than needed. */
export function decimal(value: number, digits = 6): string {
  const text = value.toFixed(digits)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** The nearest even number, at least `least`, for sizes and positions in 4:2:0 pictures. */
export function even(value: number, least = 2): number {
  return Math.max(least, Math.round(value / 2) * 2)
}

/** Scales the source's picture to this size and to the matrix of BT.709. */
export function scaleFilter(composition: Composition, width: number, height: number): string {
  const convert = composition.source.hdr ? '' : matrixChange(composition)
  return `scale=${width}:${height}:flags=bicubic${convert}:out_range=tv`
}

function matrixChange(composition: Composition): string {
  // By default swscale converts RGB to BT.601, whatever the size.
  if (composition.source.rgb === true) return ':out_color_matrix=bt709'
  const matrix = sourceMatrix(composition)
  // Without a change of matrix swscale needs one step and takes the tags as they are.
  return matrix === 'bt709' ? '' : `:in_color_matrix=${matrix}:out_color_matrix=bt709`
}

/** The matrix of sources without a tag: BT.601 for small pictures, BT.709 for others. */
function sourceMatrix(composition: Composition): string {
  const { colourMatrix, width, height } = composition.source
  if (colourMatrix !== undefined) return colourMatrix
  return Math.min(width, height) < 720 && Math.max(width, height) < 1280 ? 'bt601' : 'bt709'
}

/** Filters after scaling, with their comma: HDR to BT.709 where the output is not HDR, and everything to the output's format. */
export function toneMap(composition: Composition): string {
  const { source, output } = composition
  if (output.hdr !== undefined) return `,format=${pixelFormat(output)}`
  return source.hdr ? `,${toneMapFilters(source)}` : ',format=yuv420p'
}

/** Of all pictures between source and encoder. */
export const pixelFormat = ({ hdr }: Composition['output']): string =>
  hdr === undefined ? 'yuv420p' : 'yuv420p10le'

/** The same, as `overlay` calls it. */
export const overlayFormat = ({ hdr }: Composition['output']): string =>
  hdr === undefined ? 'yuv420' : 'yuv420p10'

const HDR_TAGS = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const

/** The colours of the finished picture, by ffmpeg's names. */
export function coloursOf({ hdr }: Composition['output']): {
  readonly primaries: string
  readonly transfer: string
  readonly matrix: string
} {
  if (hdr === undefined) return { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709' }
  return { primaries: 'bt2020', transfer: HDR_TAGS[hdr], matrix: 'bt2020nc' }
}

/** Options that tell the colours of a file. */
export function colourTags(output: Composition['output']): string[] {
  const { primaries, transfer, matrix } = coloursOf(output)
  const tags = ['-colorspace', matrix, '-color_primaries', primaries, '-color_trc', transfer]
  return [...tags, '-color_range', 'tv']
}

/** Scales to display pixels, in which positions are given; a picture of that size is not changed. */
export function displayPixels(composition: Composition): string {
  return `scale=${composition.source.width}:${composition.source.height}:flags=bicubic,setsar=1`
}

/** A colour as ffmpeg's sources read it. */
export function ffmpegColour({ red, green, blue, alpha }: Rgba): string {
  const hex = [red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')
  return `0x${hex}@${decimal(alpha, 4)}`
}
