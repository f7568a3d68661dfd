import { vertical } from '../../contract/shapes/vertical.ts'
import { chain } from '../chain.ts'

/** A sermon or a speech: one person, long sentences, nothing that distracts. */
export const sermon = chain(
  'Sermon or speech',
  'Upright clips of one complete thought that stay on the speaker, with calm captions and slow zooms',
  [
    [
      'find_clips',
      {
        min_length: 30,
        max_length: 90,
        promptAdjustment: 'One complete thought that can stand alone, from its beginning to its conclusion.',
      },
    ],
    ['convert_to_vertical', { aspect_ratio: vertical.ratio, style: 'style_one' }],
    ['smart_zoom', { smart_zoom_config: { mode: 'smooth', frequency: 'low', intensity: 1.1 } }],
    ['add_subtitles', { subtitle_config: { styleId: 'quote' } }],
  ],
)
