import { Type } from '@sinclair/typebox'
import { OutroMusicOption } from '../../contract/background-music-option.ts'
import { booleanField, closedConfig } from '../../contract/config-fields.ts'
import { EndCardOption } from '../../contract/end-card-option.ts'
import { declareNode, notRendered } from '../declare.ts'

/** Closes the clip with a card. */
export const addOutro = declareNode({
  type: 'add_outro',
  label: 'Add outro',
  config: Type.Object(
    {
      enabled: booleanField('Add the end card', true),
      end_card_option: Type.Optional(EndCardOption),
      outro_music_option: Type.Optional(OutroMusicOption),
    },
    closedConfig,
  ),
  compile: () => notRendered('add_outro'),
})
