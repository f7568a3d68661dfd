import { Type } from '@sinclair/typebox'
import { OutroMusicOption } from '../../contract/background-music-option.ts'
import { booleanField, closedObject } from '../../contract/config-fields.ts'
import { EndCardOption } from '../../contract/end-card-option.ts'
import { withoutOldFileIn } from '../drop-old-file-fields.ts'
import { declareNode } from '../declare.ts'
import { assetNeed } from '../pictures/asset.ts'
import { compileEndCard, endCardNeed } from '../pictures/end-card.ts'
import { musicEdits } from '../sound/music-request.ts'

/** Closes the clip with a card. */
export const addOutro = declareNode({
  type: 'add_outro',
  label: 'Add outro',
  config: closedObject({
    enabled: booleanField('Add the end card', true),
    end_card_option: Type.Optional(EndCardOption),
    outro_music_option: Type.Optional(OutroMusicOption),
  }),
  settle: (layers) => withoutOldFileIn('end_card_option', 'endCardOption', layers),
  assets: (config) => {
    const music = assetNeed(config.outro_music_option?.url, 'audio')
    return [...endCardNeed(config.end_card_option ?? {}), ...music]
  },
  compile(config, context) {
    const card = compileEndCard(config.end_card_option ?? {}, context)
    const placement = { place: 'closing', label: 'add_outro.outro_music_option.url', ducking: true } as const
    const { music, warnings } = musicEdits(config.outro_music_option, placement, context)
    return { ...card, music, warnings: [...(card.warnings ?? []), ...warnings] }
  },
})
