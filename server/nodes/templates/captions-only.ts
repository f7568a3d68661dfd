import { chain } from '../chain.ts'

/** The whole video as it is, with captions. */
export const captionsOnly = chain(
  'Captions only',
  'The whole video in its own shape and length, with captions burned in',
  [['add_subtitles', { subtitle_config: { styleId: 'box' } }]],
)
