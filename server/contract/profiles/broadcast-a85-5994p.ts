import { avcBroadcast } from './broadcast.ts'
import { ATSC_A85 } from './loudness.ts'

export const broadcastA855994p = avcBroadcast({
  name: 'broadcast-a85-5994p',
  label: 'Broadcast 1080p59.94, ATSC A/85',
  loudness: ATSC_A85,
  frameRate: { numerator: 60000, denominator: 1001 },
  scan: 'progressive',
})
