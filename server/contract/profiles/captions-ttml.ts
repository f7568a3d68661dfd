import type { Profile } from './profile.ts'

export const captionsTtml: Profile = {
  name: 'captions-ttml',
  label: 'Captions, TTML',
  description: 'The words of the clip as TTML captions.',
  extension: 'ttml',
  mediaType: 'application/ttml+xml',
  delivery: { kind: 'words', format: 'ttml' },
  size: null,
  frameRate: null,
  loudness: null,
  colour: 'none',
  sidecars: [],
}
