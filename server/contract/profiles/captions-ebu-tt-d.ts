import type { Profile } from './profile.ts'

export const captionsEbuTtD: Profile = {
  name: 'captions-ebu-tt-d',
  label: 'Captions, EBU-TT-D',
  description: 'The words of the clip as EBU-TT-D subtitles, as European broadcasters take them.',
  extension: 'xml',
  mediaType: 'application/ttml+xml',
  delivery: { kind: 'words', format: 'ebu-tt-d' },
  size: null,
  frameRate: null,
  loudness: null,
  colour: 'none',
  sidecars: [],
}
