import { DELIVERY_LOUDNESS } from '../platforms/registry.ts'
import type { Profile } from './profile.ts'

export const hevcHdr: Profile = {
  name: 'hevc-hdr',
  label: 'HEVC HDR',
  description: 'H.265 with ten bits and AAC in MP4: HLG or PQ as the source is, for sources that are HDR.',
  extension: 'mp4',
  mediaType: 'video/mp4',
  delivery: {
    kind: 'video',
    container: 'mp4',
    codec: 'hevc',
    pixelFormat: 'yuv420p10le',
    hdr: true,
    frame: null,
    scan: 'progressive',
    sound: 'aac',
  },
  size: null,
  frameRate: null,
  loudness: DELIVERY_LOUDNESS,
  colour: 'hdr',
  sidecars: [],
}
