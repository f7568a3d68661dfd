/** Filters that bring a source's picture into the form that all later filters expect. PURE. */
import type { HdrColours } from '../../../server/contract/colour-matrix.ts'

/** Makes pixels square; does nothing if they are square already. */
export const SQUARE_PIXELS = "scale=w='round(iw*sar)':h=ih,setsar=1"

/**
 * Converts HDR (PQ or HLG) to BT.709 with eight bits. Expensive, so apply it after scaling down. Reference white of ordinary
 * video is at 203 nits (BT.2408). Luminance up to half of that, where faces are, is unchanged; brighter light up to
 * 1000 nits is compressed into the rest of the range.
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
