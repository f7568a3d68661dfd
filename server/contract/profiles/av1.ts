import { DELIVERY_LOUDNESS } from '../platforms/registry.ts'
import type { Profile } from './profile.ts'

export const av1: Profile = {
  name: 'av1',
  label: 'AV1',
  description: 'AV1 and AAC in MP4: the fewest bytes, for players of recent years.',
  extension: 'mp4',
  mediaType: 'video/mp4',
  delivery: {
    kind: 'video',
    container: 'mp4',
    codec: 'av1',
    pixelFormat: 'yuv420p',
    frame: null,
    scan: 'progressive',
    sound: 'aac',
  },
  size: null,
  frameRate: null,
  loudness: DELIVERY_LOUDNESS,
  colour: 'sdr',
  sidecars: [],
}
