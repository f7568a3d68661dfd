/** Filters that bring a source's picture into the form that everything later expects. PURE. */
import type { HdrColours } from '../../../server/contract/colour-matrix.ts'

/** Square pixels, whatever the source's are; passes through when they are square already. */
export const SQUARE_PIXELS = "scale=w='round(iw*sar)':h=ih,setsar=1"

/**
 * HDR (PQ or HLG) to BT.709, eight bits. Costly: put it after scaling down. The white of ordinary video lies at 203 nits
 * (BT.2408). Up to half of that, where faces are, light stays what it was; what is brighter, up to 1000 nits, is
 * pressed into the rest.
 */
export function toneMapFilters({ colourMatrix, unknownPrimaries }: HdrColours): string {
  // HDR is of BT.2020 (BT.2100) where the file does not say; zscale does not guess, and knows no constant luminance.
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
