import { mpegBroadcast } from './broadcast.ts'
import { ATSC_A85 } from './loudness.ts'

export const broadcastA852997i = mpegBroadcast({
  name: 'broadcast-a85-2997i',
  label: 'Broadcast 1080i29.97, ATSC A/85',
  loudness: ATSC_A85,
  frameRate: { numerator: 60000, denominator: 1001 },
  scan: 'top-first',
})
