import { vertical } from '../../contract/shapes/vertical.ts'
import { chain } from '../chain.ts'

/** Two people at once, one above the other. */
export const interview = chain(
  'Interview, split screen',
  'Upright clips with both people in view, one above the other, and captions between them',
  [
    ['find_clips', { min_length: 20, max_length: 75 }],
    ['convert_to_vertical', { aspect_ratio: vertical.ratio, style: 'style_two', split_view: true }],
    ['add_subtitles', { subtitle_config: { styleId: 'pill', subtitleY: 50 } }],
  ],
)
