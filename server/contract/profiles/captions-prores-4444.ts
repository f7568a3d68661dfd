import type { Profile } from './profile.ts'

export const captionsProres4444: Profile = {
  name: 'captions-prores-4444',
  label: 'Captions alone, ProRes 4444',
  description:
    'The captions of the clip on nothing, with straight alpha, ProRes 4444 in QuickTime: to be laid over the picture.',
  extension: 'mov',
  mediaType: 'video/quicktime',
  delivery: { kind: 'captions', codec: 'prores-4444' },
  size: null,
  frameRate: null,
  loudness: null,
  colour: 'sdr',
  sidecars: [],
}
