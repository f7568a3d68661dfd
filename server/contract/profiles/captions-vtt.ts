import type { Profile } from './profile.ts'

export const captionsVtt: Profile = {
  name: 'captions-vtt',
  label: 'Captions, WebVTT',
  description: 'The words of the clip as WebVTT captions.',
  extension: 'vtt',
  mediaType: 'text/vtt',
  delivery: { kind: 'words', format: 'vtt' },
  size: null,
  frameRate: null,
  loudness: null,
  colour: 'none',
  sidecars: [],
}
