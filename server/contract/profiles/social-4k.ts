import { DELIVERY_LOUDNESS } from '../platforms/registry.ts'
import type { Profile } from './profile.ts'

export const social4k: Profile = {
  name: 'social-4k',
  label: 'Social 4K',
  description:
    'H.264 and AAC in MP4 with 2160 pixels on the short side; detail beyond 1080 only where the source has it.',
  extension: 'mp4',
  mediaType: 'video/mp4',
  delivery: {
    kind: 'video',
    container: 'mp4',
    codec: 'h264',
    pixelFormat: 'yuv420p',
    frame: null,
    scan: 'progressive',
    sound: 'aac',
  },
  size: { shortSide: 2160 },
  frameRate: null,
  loudness: DELIVERY_LOUDNESS,
  colour: 'sdr',
  sidecars: [],
}
