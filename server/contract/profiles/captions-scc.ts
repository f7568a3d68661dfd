import type { Profile } from './profile.ts'

export const captionsScc: Profile = {
  name: 'captions-scc',
  label: 'Captions, SCC',
  description:
    'The words of the clip as CEA-608 closed captions (Scenarist), as American broadcasters take them.',
  extension: 'scc',
  mediaType: 'text/plain',
  delivery: { kind: 'words', format: 'scc' },
  size: null,
  frameRate: null,
  loudness: null,
  colour: 'none',
  sidecars: [],
}
