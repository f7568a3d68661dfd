/** BackgroundMusicOption and OutroMusicOption: music under a clip and under its end. */
import type { Static } from '@sinclair/typebox'
import { closedObject, mediaUrlField, numberField, textField, unitField, urlField } from './config-fields.ts'

export const BackgroundMusicOption = closedObject(
  {
    id: textField('Id of the track', 200),
    name: textField('Name of the track'),
    url: mediaUrlField('Audio file'),
    thumbnailUrl: urlField('Picture of the track'),
    duration: numberField('Length in seconds', { minimum: 0 }),
    volume: unitField('Loudness, 0 to 1'),
  },
  { description: 'Music under the clip' },
)
export type BackgroundMusicOption = Static<typeof BackgroundMusicOption>

export const OutroMusicOption = closedObject(
  { url: mediaUrlField('Audio file'), volume: unitField('Loudness, 0 to 1') },
  { description: 'Music under the end card' },
)
export type OutroMusicOption = Static<typeof OutroMusicOption>
