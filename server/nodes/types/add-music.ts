import { Type } from '@sinclair/typebox'
import { BackgroundMusicOption, OutroMusicOption } from '../../contract/background-music-option.ts'
import { booleanField, closedConfig, listField } from '../../contract/config-fields.ts'
import { declareNode, notRendered } from '../declare.ts'

/** Puts music under the clip. */
export const addMusic = declareNode({
  type: 'add_music',
  label: 'Add music',
  config: Type.Object(
    {
      enabled: booleanField('Add music', true),
      background_music_option: Type.Optional(BackgroundMusicOption),
      background_music_options: listField(
        BackgroundMusicOption,
        'One of these is picked, stably, per clip',
        200,
      ),
      outro_music_option: Type.Optional(OutroMusicOption),
      ducking: booleanField('Lower the music while somebody speaks', true),
    },
    closedConfig,
  ),
  compile: () => notRendered('add_music'),
})
