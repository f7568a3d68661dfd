import { vertical } from '../../contract/shapes/vertical.ts'
import { chain } from '../chain.ts'

/** A stream: quick, loud, with what was said in anger taken out. */
export const stream = chain(
  'Stream and gaming',
  'Short upright clips with screen and streamer in view, curse words beeped, quick zooms and loud captions',
  [
    ['find_clips', { min_length: 10, max_length: 40, model_key: 'multimodal' }],
    ['remove_curse_words', { remove_curse_words_config: { mode: 'beep' } }],
    ['convert_to_vertical', { aspect_ratio: vertical.ratio, style: 'adaptive' }],
    ['smart_zoom', { smart_zoom_config: { mode: 'punch', frequency: 'high' } }],
    ['add_subtitles', { subtitle_config: { styleId: 'impact' } }],
  ],
)
