/** Filters that bring a source's picture into the form that everything later expects. PURE. */

/** Square pixels, whatever the source's are; passes through when they are square already. */
export const SQUARE_PIXELS = "scale=w='round(iw*sar)':h=ih,setsar=1"

/** HDR (PQ or HLG) to BT.709, eight bits. Costly: put it after scaling down. */
export const TONE_MAP = [
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
  'format=yuv420p',
].join(',')
