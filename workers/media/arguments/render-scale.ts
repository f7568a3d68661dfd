/** Scaling of the source picture to BT.709 in 4:2:0, eight bits. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'
import { toneMapFilters } from './colour.ts'

/** To the nearest even number, `least` at least: sizes and places of 4:2:0 pictures. */
export function even(value: number, least = 2): number {
  return Math.max(least, Math.round(value / 2) * 2)
}

/** The source's picture to this size and to BT.709's matrix. */
export function scaleFilter(composition: Composition, width: number, height: number): string {
  const convert = composition.source.hdr ? '' : matrixChange(composition)
  return `scale=${width}:${height}:flags=bicubic${convert}:out_range=tv`
}

function matrixChange(composition: Composition): string {
  // Unless it is told, swscale makes BT.601 of red, green and blue, whatever the size.
  if (composition.source.rgb === true) return ':out_color_matrix=bt709'
  const matrix = sourceMatrix(composition)
  // Without a change of matrix swscale stays in one step and takes the tags as they are.
  return matrix === 'bt709' ? '' : `:in_color_matrix=${matrix}:out_color_matrix=bt709`
}

/** What the source's YCbCr means when nothing says so: small pictures are BT.601, others BT.709. */
function sourceMatrix(composition: Composition): string {
  const { colourMatrix, width, height } = composition.source
  if (colourMatrix !== undefined) return colourMatrix
  return Math.min(width, height) < 720 && Math.max(width, height) < 1280 ? 'bt601' : 'bt709'
}

/** What follows scaling, with its comma: HDR down to BT.709, everything to yuv420p. */
export function toneMap(composition: Composition): string {
  const { source } = composition
  return source.hdr ? `,${toneMapFilters(source)}` : ',format=yuv420p'
}

/** The picture in display pixels, so that places can be named by them; costs nothing where it has that size already. */
export function displayPixels(composition: Composition): string {
  return `scale=${composition.source.width}:${composition.source.height}:flags=bicubic,setsar=1`
}
