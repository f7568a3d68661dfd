import type { Profile } from './profile.ts'

export const captionsSrt: Profile = {
  name: 'captions-srt',
  label: 'Captions, SRT',
  description: 'The words of the clip as SubRip captions.',
  extension: 'srt',
  mediaType: 'application/x-subrip',
  delivery: { kind: 'words', format: 'srt' },
  size: null,
  frameRate: null,
  loudness: null,
  colour: 'none',
  sidecars: [],
}
