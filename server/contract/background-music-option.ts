/** BackgroundMusicOption and OutroMusicOption: music under a clip and under its end. */
import { Type, type Static } from '@sinclair/typebox'
import { closedConfig, numberField, textField, unitField, mediaUrlField, urlField } from './config-fields.ts'

export const BackgroundMusicOption = Type.Object(
  {
    id: textField('Id of the track', 200),
    name: textField('Name of the track'),
    url: mediaUrlField('Audio file'),
    thumbnailUrl: urlField('Picture of the track'),
    duration: numberField('Length in seconds', { minimum: 0 }),
    volume: unitField('Loudness, 0 to 1'),
  },
  { ...closedConfig, description: 'Music under the clip' },
)
export type BackgroundMusicOption = Static<typeof BackgroundMusicOption>

export const OutroMusicOption = Type.Object(
  { url: mediaUrlField('Audio file'), volume: unitField('Loudness, 0 to 1') },
  { ...closedConfig, description: 'Music under the end card' },
)
export type OutroMusicOption = Static<typeof OutroMusicOption>
