import { Type } from '@sinclair/typebox'
import { BackgroundMusicOption, OutroMusicOption } from '../../contract/media-configs.ts'
import { booleanField, closedObject, listField } from '../../contract/config-fields.ts'
import { withoutOldFileIn, omit, own } from '../merge.ts'
import { declareNode } from '../declare.ts'
import { assetNeed } from '../pictures/asset.ts'
import { musicEdits, MAX_OPTIONS, musicChoices } from '../sound/music.ts'
import { remark } from '../../contract/render-remarks.ts'

/** Music under the clip and its end card. Which of several tracks it is was settled when the clip was made. */
export const addMusic = declareNode({
  type: 'add_music',
  label: 'Add music',
  config: closedObject({
    enabled: booleanField('Add music', true),
    background_music_option: Type.Optional(BackgroundMusicOption),
    background_music_options: listField(
      BackgroundMusicOption,
      'One of these is picked, stably, per clip',
      200,
    ),
    outro_music_option: Type.Optional(OutroMusicOption),
    ducking: booleanField('Lower the music while somebody speaks', true),
  }),
  /** Several tracks in a later layer replace a single one from an earlier layer, which would otherwise be played. */
  settle({ base, layer, merged }) {
    const several = own(layer, 'background_music_options')
    const brings = Array.isArray(several) && several.length > 0
    const forgets = brings && own(layer, 'background_music_option') === undefined
    if (forgets) return omit(merged, 'background_music_option')
    return withoutOldFileIn('background_music_option', 'backgroundMusicOption', { base, layer, merged })
  },
  assets({
    background_music_option: one,
    background_music_options: several = [],
    outro_music_option: outro,
  }) {
    const tracks = one === undefined ? musicChoices(several) : [one]
    return [...tracks, outro].flatMap((option) => assetNeed(option?.url, 'audio'))
  },
  compile(config, context) {
    const ducking = config.ducking ?? true
    const clip = { place: 'clip', label: 'add_music.background_music_option.url', ducking } as const
    const closing = { place: 'closing', label: 'add_music.outro_music_option.url', ducking } as const
    const edits = [
      musicEdits(config.background_music_option, clip, context),
      musicEdits(config.outro_music_option, closing, context),
    ]
    const several = 'add_music.background_music_options'
    const single = context.document.nodes.some(
      (node) => node.type === 'add_music' && 'background_music_option' in node.config,
    )
    const tooMany = !single && (config.background_music_options?.length ?? 0) > MAX_OPTIONS
    return {
      music: edits.flatMap(({ music }) => music),
      warnings: [
        ...(tooMany
          ? [
              remark(
                'NEVER_SHOWN',
                several,
                `${several}: tracks after the first ${MAX_OPTIONS} are not used.`,
              ),
            ]
          : []),
        ...edits.flatMap(({ warnings }) => warnings),
      ],
    }
  },
})
