import { mpegBroadcast } from './broadcast.ts'
import { ATSC_A85 } from './loudness.ts'

export const broadcastA85 = mpegBroadcast({
  name: 'broadcast-a85',
  label: 'Broadcast 1080p29.97, ATSC A/85',
  loudness: ATSC_A85,
  frameRate: { numerator: 30000, denominator: 1001 },
  scan: 'progressive',
})
