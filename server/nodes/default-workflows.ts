/** The workflows that a company starts with. */
import { square } from '../contract/shapes/square.ts'
import { vertical } from '../contract/shapes/vertical.ts'
import type { WorkflowFile } from '../contract/workflow.ts'
import { chain } from './chain.ts'

const FIND = { min_length: 20, max_length: 60, model_key: 'conversational' }
const TITLE = { title_config: { titlePresetId: 'clean', duration: 5, fadeDuration: 0.3 } }

export const DEFAULT_WORKFLOWS: readonly WorkflowFile[] = [
  chain('Vertical shorts', 'Upright clips with spoken-word captions and a headline', [
    ['find_clips', FIND],
    ['convert_to_vertical', { aspect_ratio: vertical.ratio }],
    ['add_subtitles', { subtitle_config: { styleId: 'pop' } }],
    ['add_title_overlay', TITLE],
  ]),
  chain(
    'Horizontal highlights',
    'Longer clips in the shape of the source, with quiet captions and a headline',
    [
      ['find_clips', { ...FIND, min_length: 30, max_length: 90 }],
      ['add_subtitles', { subtitle_config: { styleId: 'box' } }],
      ['add_title_overlay', TITLE],
    ],
  ),
  chain('Audiogram', 'Square clips for podcasts: the moving wave of the sound, captions and a headline', [
    ['find_clips', FIND],
    ['convert_to_vertical', { aspect_ratio: square.ratio }],
    ['add_audiogram', { audiogram_config: { waveStyle: 'bars' } }],
    ['add_subtitles', { subtitle_config: { styleId: 'karaoke' } }],
    ['add_title_overlay', TITLE],
  ]),
]
