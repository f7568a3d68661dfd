import type { Profile } from './profile.ts'

export const chapters: Profile = {
  name: 'chapters',
  label: 'Chapters',
  description:
    'WebVTT chapters: one for each turn of a speaker and after each long pause, named by its first words.',
  extension: 'vtt',
  mediaType: 'text/vtt',
  delivery: { kind: 'words', format: 'chapters' },
  size: null,
  frameRate: null,
  loudness: null,
  colour: 'none',
  sidecars: [],
}
