import { mpegBroadcast } from './broadcast.ts'
import { EBU_R128 } from './loudness.ts'

export const broadcastR12825p = mpegBroadcast({
  name: 'broadcast-r128-25p',
  label: 'Broadcast 1080p25, EBU R 128',
  loudness: EBU_R128,
  frameRate: { numerator: 25, denominator: 1 },
  scan: 'progressive',
})
