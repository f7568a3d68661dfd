import type { Profile } from './profile.ts'

export const captionsPng: Profile = {
  name: 'captions-png',
  label: 'Captions alone, PNG pictures',
  description: 'The captions of the clip on nothing, a PNG with straight alpha for each frame, in one ZIP.',
  extension: 'zip',
  mediaType: 'application/zip',
  delivery: { kind: 'captions', codec: 'png' },
  size: null,
  frameRate: null,
  loudness: null,
  colour: 'sdr',
  sidecars: [],
}
