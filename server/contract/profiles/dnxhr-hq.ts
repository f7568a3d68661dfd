import { EBU_R128 } from './loudness.ts'
import type { Profile } from './profile.ts'

export const dnxhrHq: Profile = {
  name: 'dnxhr-hq',
  label: 'DNxHR HQ',
  description: 'DNxHR HQ and 24-bit PCM in QuickTime, for Avid and others, at -23 LUFS.',
  extension: 'mov',
  mediaType: 'video/quicktime',
  delivery: {
    kind: 'video',
    container: 'mov',
    codec: 'dnxhr-hq',
    pixelFormat: 'yuv422p',
    frame: null,
    scan: 'progressive',
    sound: 'pcm24',
  },
  size: null,
  frameRate: null,
  loudness: EBU_R128,
  colour: 'sdr',
  sidecars: [],
}
