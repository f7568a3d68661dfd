import type { Profile } from './profile.ts'

export const webp: Profile = {
  name: 'webp',
  label: 'WebP preview',
  description: 'The first six seconds as an animated WebP without sound, 640 pixels on the long side.',
  extension: 'webp',
  mediaType: 'image/webp',
  delivery: { kind: 'preview', codec: 'webp', longSide: 640, framesPerSecond: 15, seconds: 6 },
  size: null,
  frameRate: null,
  loudness: null,
  colour: 'sdr',
  sidecars: [],
}
