import { mpegBroadcast } from './broadcast.ts'
import { EBU_R128 } from './loudness.ts'

export const broadcastR12825i = mpegBroadcast({
  name: 'broadcast-r128-25i',
  label: 'Broadcast 1080i25, EBU R 128',
  loudness: EBU_R128,
  frameRate: { numerator: 50, denominator: 1 },
  scan: 'top-first',
})
