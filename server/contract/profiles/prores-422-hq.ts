import { EBU_R128 } from './loudness.ts'
import type { Profile } from './profile.ts'

export const prores422hq: Profile = {
  name: 'prores-422-hq',
  label: 'ProRes 422 HQ',
  description:
    'ProRes 422 HQ and 24-bit PCM in QuickTime, for editing and for houses that take a mezzanine, at -23 LUFS.',
  extension: 'mov',
  mediaType: 'video/quicktime',
  delivery: {
    kind: 'video',
    container: 'mov',
    codec: 'prores-hq',
    pixelFormat: 'yuv422p10le',
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
