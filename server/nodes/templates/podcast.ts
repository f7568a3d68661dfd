import { vertical } from '../../contract/shapes/vertical.ts'
import { chain } from '../chain.ts'

/** A talk of two or more people, as upright clips that follow who speaks. */
export const podcast = chain(
  'Podcast to shorts',
  'Upright clips that follow who speaks, with fillers cut, captions word by word and a headline',
  [
    ['find_clips', { min_length: 20, max_length: 60 }],
    ['filler_words', { filler_words_config: { enabled: true, stutteredWordsEnabled: true } }],
    ['convert_to_vertical', { aspect_ratio: vertical.ratio }],
    ['add_subtitles', { subtitle_config: { styleId: 'pop' } }],
    ['add_title_overlay', { title_config: { titlePresetId: 'clean', duration: 4, fadeDuration: 0.3 } }],
  ],
)
