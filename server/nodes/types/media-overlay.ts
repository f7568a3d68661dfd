import { Type } from '@sinclair/typebox'
import {
  booleanField,
  closedConfig,
  numberField,
  textField,
  unitField,
  urlField,
} from '../../contract/config-fields.ts'
import { declareNode, notRendered } from '../declare.ts'

/** Lays a picture or video over the clip. */
export const mediaOverlay = declareNode({
  type: 'media_overlay',
  label: 'Media overlay',
  config: Type.Object(
    {
      enabled: booleanField('Show the overlay', true),
      media_overlay_config: Type.Optional(
        Type.Object(
          {
            mediaUrl: urlField('Picture or video'),
            opacity: unitField('Opacity, 0 to 1', 1),
            scale: numberField('Multiple of its own size', { minimum: 0 }),
            xPosition: numberField('Centre, percent of the width'),
            yPosition: numberField('Centre, percent of the height'),
            startOffset: numberField('Seconds after the start of the clip at which it appears', {
              minimum: 0,
            }),
            endOffset: numberField('Seconds before the end of the clip at which it goes', { minimum: 0 }),
            animationDuration: numberField('Seconds that its coming and going take', { minimum: 0 }),
            introTransitionId: textField('How it comes', 100),
            outroTransitionId: textField('How it goes', 100),
          },
          { ...closedConfig, description: 'What is shown, where and when' },
        ),
      ),
    },
    closedConfig,
  ),
  compile: () => notRendered('media_overlay'),
})
