import { chain } from '../chain.ts'

/** A lecture in its own shape, slides and all. */
export const lecture = chain(
  'Lecture highlights',
  'Longer clips in the shape of the recording, with pauses shortened, quiet captions and a headline',
  [
    [
      'find_clips',
      {
        min_length: 45,
        max_length: 180,
        promptAdjustment: 'One idea, explained from its question to its answer.',
      },
    ],
    ['filler_words', { filler_words_config: { enabled: true, silencesEnabled: true } }],
    ['add_subtitles', { subtitle_config: { styleId: 'documentary' } }],
    ['add_title_overlay', { title_config: { titlePresetId: 'editorial', duration: 5, fadeDuration: 0.3 } }],
  ],
)
