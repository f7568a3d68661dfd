import type { Profile } from './profile.ts'

export const gif: Profile = {
  name: 'gif',
  label: 'GIF preview',
  description: 'The first six seconds as a GIF without sound, 480 pixels on the long side.',
  extension: 'gif',
  mediaType: 'image/gif',
  delivery: { kind: 'preview', codec: 'gif', longSide: 480, framesPerSecond: 12, seconds: 6 },
  size: null,
  frameRate: null,
  loudness: null,
  colour: 'sdr',
  sidecars: [],
}
