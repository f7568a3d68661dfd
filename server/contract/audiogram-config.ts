/** Configuration of an audiogram's look. Every field is optional and falls back to the preset. */
import type { Static } from '@sinclair/typebox'
import {
  booleanField,
  choiceField,
  closedObject,
  colourField,
  mediaUrlField,
  numberField,
} from './config-fields.ts'

const percent = { minimum: 0, maximum: 100 }

export const AudiogramConfig = closedObject(
  {
    enabled: booleanField('Draw the wave', true),
    backgroundColor: colourField('Behind everything; on a video it covers the picture'),
    backgroundUrl: mediaUrlField('Picture behind everything; on a video it covers the picture'),
    waveColor: colourField('Colour of the wave'),
    waveStyle: choiceField('Form of the wave; the preset’s own where none is given', [
      'bars',
      'line',
      'mirror',
    ]),
    x: numberField('Centre, percent of the width', percent),
    y: numberField('Centre, percent of the height', percent),
    width: numberField('Percent of the width', percent),
    height: numberField('Percent of the height', percent),
    showCover: booleanField('Show the cover picture; where there is one it is shown unless this is off'),
    coverUrl: mediaUrlField('Cover picture, shown as a square; else the one in the sound file'),
  },
  { description: 'Look of the wave' },
)
export type AudiogramConfig = Static<typeof AudiogramConfig>
