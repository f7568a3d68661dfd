import { square } from '../../contract/shapes/square.ts'
import { chain } from '../chain.ts'

/** Square clips for feeds: the whole picture over its blur. */
export const squareFeed = chain(
  'Square clips for feeds',
  'Square clips with the whole picture over its own blur, a headline that stays and captions',
  [
    ['find_clips', { min_length: 15, max_length: 60 }],
    ['convert_to_vertical', { aspect_ratio: square.ratio, centerVertical: true, gaussian_blur: true }],
    ['add_subtitles', { subtitle_config: { styleId: 'karaoke' } }],
    ['add_title_overlay', { title_config: { titlePresetId: 'headline' } }],
  ],
)
