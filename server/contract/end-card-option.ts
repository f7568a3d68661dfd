/** EndCardOption: the picture or video that closes a clip. */
import type { Static } from '@sinclair/typebox'
import { booleanField, closedObject, mediaUrlField, numberField, unitField } from './config-fields.ts'

export const EndCardOption = closedObject(
  {
    url: mediaUrlField('Picture or video of the card'),
    duration: numberField(
      'Seconds that the card is shown; to the end of the clip, or 3 after it, when left out',
      { minimum: 0 },
    ),
    secondsBeforeEnd: numberField(
      'Seconds before the end of the clip at which it starts; left out, it follows the clip',
      { minimum: 0 },
    ),
    isVideo: booleanField('The card is a video'),
    opacity: unitField('Opacity, 0 to 1', 1),
    videoDuration: numberField('Length of the card video in seconds', { minimum: 0 }),
    volume: unitField('Loudness of the card video, 0 to 1'),
  },
  { description: 'Card at the end of the clip' },
)
export type EndCardOption = Static<typeof EndCardOption>
