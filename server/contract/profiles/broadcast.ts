/** PURE: what the broadcast profiles have in common: 1920 x 1080, PCM sound, captions beside the film. */
import type { Rational } from '../time.ts'
import type { Loudness, Profile, VideoDelivery } from './profile.ts'

const FRAME = { width: 1920, height: 1080 } as const

interface Broadcast {
  readonly name: string
  readonly label: string
  readonly loudness: Loudness
  /** Frames of the composition a second: twice those of an interlaced file. */
  readonly frameRate: Rational
  readonly scan: VideoDelivery['scan']
}

/** MPEG-2 4:2:2 at 50 Mbit/s in MXF, which every European and American house takes at up to 30 frames a second. */
export function mpegBroadcast(broadcast: Broadcast): Profile {
  return {
    ...common(broadcast),
    description: `1920 x 1080, MPEG-2 4:2:2 at 50 Mbit/s and 24-bit PCM in MXF, ${loudnessText(broadcast)}`,
    extension: 'mxf',
    mediaType: 'application/mxf',
    delivery: {
      kind: 'video',
      container: 'mxf',
      codec: 'mpeg2',
      pixelFormat: 'yuv422p',
      frame: FRAME,
      scan: broadcast.scan,
      sound: 'pcm24',
    },
  }
}

/** H.264 4:2:2 with ten bits, every picture whole, in QuickTime: MPEG-2 has no level for 1080p at 50 frames a second. */
export function avcBroadcast(broadcast: Broadcast): Profile {
  return {
    ...common(broadcast),
    description: `1920 x 1080, H.264 4:2:2 10-bit (every picture whole) and 24-bit PCM in QuickTime, ${loudnessText(broadcast)}`,
    extension: 'mov',
    mediaType: 'video/quicktime',
    delivery: {
      kind: 'video',
      container: 'mov',
      codec: 'h264-intra',
      pixelFormat: 'yuv422p10le',
      frame: FRAME,
      scan: broadcast.scan,
      sound: 'pcm24',
    },
  }
}

const common = ({ name, label, loudness, frameRate }: Broadcast) => ({
  name,
  label,
  size: FRAME,
  frameRate,
  loudness,
  colour: 'sdr' as const,
  sidecars: ['ebu-tt-d' as const],
})

const loudnessText = ({ loudness }: Broadcast): string =>
  `at ${loudness.integratedLufs} LUFS and at most ${loudness.truePeakDb} dBTP; the captions also lie beside it as EBU-TT-D.`
