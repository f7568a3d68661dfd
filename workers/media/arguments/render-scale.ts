/** Scales the source picture to BT.709 in 4:2:0 with eight bits. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'
import { toneMapFilters } from './colour.ts'

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

/** Filters after scaling, with their comma: HDR to BT.709, and everything to yuv420p. */
export function toneMap(composition: Composition): string {
  const { source } = composition
  return source.hdr ? `,${toneMapFilters(source)}` : ',format=yuv420p'
}

/** Scales to display pixels, in which positions are given; a picture of that size is not changed. */
export function displayPixels(composition: Composition): string {
  return `scale=${composition.source.width}:${composition.source.height}:flags=bicubic,setsar=1`
}
