import { EBU_R128 } from './loudness.ts'
import type { Profile } from './profile.ts'

export const audioStems: Profile = {
  name: 'audio-stems',
  label: 'Sound in stems',
  description:
    'Speech, music and mix as three WAV files of 48 kHz and 24 bits in one ZIP; the mix is at -23 LUFS and at most -1 dBTP.',
  extension: 'zip',
  mediaType: 'application/zip',
  delivery: { kind: 'stems' },
  size: null,
  frameRate: null,
  loudness: EBU_R128,
  colour: 'none',
  sidecars: [],
}
