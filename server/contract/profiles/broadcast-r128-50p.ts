import { avcBroadcast } from './broadcast.ts'
import { EBU_R128 } from './loudness.ts'

export const broadcastR12850p = avcBroadcast({
  name: 'broadcast-r128-50p',
  label: 'Broadcast 1080p50, EBU R 128',
  loudness: EBU_R128,
  frameRate: { numerator: 50, denominator: 1 },
  scan: 'progressive',
})
