import { DELIVERY_LOUDNESS } from '../platforms/registry.ts'
import type { Profile } from './profile.ts'

export const social1080: Profile = {
  name: 'social-1080',
  label: 'Social 1080',
  description: 'H.264 and AAC in MP4, as every platform takes it: the file that a clip is rendered to.',
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
  size: null,
  frameRate: null,
  loudness: DELIVERY_LOUDNESS,
  colour: 'sdr',
  sidecars: [],
}
