/** WatermarkConfig: a picture shown on the clip throughout. */
import type { Static } from '@sinclair/typebox'
import {
  booleanField,
  closedObject,
  mediaUrlField,
  numberField,
  textField,
  unitField,
} from './config-fields.ts'

export const WatermarkConfig = closedObject(
  {
    enabled: booleanField('Show the watermark', true),
    url: mediaUrlField('Picture or video of the watermark'),
    position: numberField(
      'Place on a three by three grid, read like a page: 1 top left, 5 centre, 9 bottom right (default 3); x and y win',
    ),
    size: numberField('Width, percent of the picture (default 16); 1 or less is a share', { minimum: 0 }),
    padding: numberField('Distance from the edges, percent of the width (default 4)', { minimum: 0 }),
    opacity: unitField('Opacity, 0 to 1', 1),
    x: numberField('Centre, percent of the width'),
    y: numberField('Centre, percent of the height'),
    startOffset: numberField('Seconds after the start of the clip at which it appears', { minimum: 0 }),
    endOffset: numberField('Seconds before the end of the clip at which it goes', { minimum: 0 }),
    animationDuration: numberField(
      'Seconds that its coming and going take (default 0.5 for a named transition)',
      { minimum: 0 },
    ),
    introTransitionId: textField('How it comes: fade, slideInLeft, zoomOut and the like', 100),
    outroTransitionId: textField('How it goes: fade, slideInLeft, zoomOut and the like', 100),
  },
  { description: 'Watermark picture and placement' },
)
export type WatermarkConfig = Static<typeof WatermarkConfig>
