import { Type } from '@sinclair/typebox'
import { OutroMusicOption } from '../../contract/background-music-option.ts'
import { booleanField, closedConfig } from '../../contract/config-fields.ts'
import { EndCardOption } from '../../contract/end-card-option.ts'
import { declareNode } from '../declare.ts'
import { pictureNeed } from '../pictures/asset.ts'
import { compileEndCard } from '../pictures/end-card.ts'

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
  assets: (config) => {
    const card = config.end_card_option
    return card?.isVideo === true ? [] : pictureNeed(card?.url)
  },
  compile(config, context) {
    const music = (config.outro_music_option?.url ?? '') !== ''
    const edits = compileEndCard(config.end_card_option ?? {}, context)
    if (!music) return edits
    const unheard = 'add_outro: its music is not played by this version.'
    return { ...edits, warnings: [...(edits.warnings ?? []), unheard] }
  },
})
