import { Type } from '@sinclair/typebox'
import {
  booleanField,
  choiceField,
  closedConfig,
  colourField,
  numberField,
  textField,
  urlField,
} from '../../contract/config-fields.ts'
import { declareNode, notRendered } from '../declare.ts'

const percent = { minimum: 0, maximum: 100 }

/** Draws the sound as a moving wave. */
export const addAudiogram = declareNode({
  type: 'add_audiogram',
  label: 'Add audiogram',
  config: Type.Object(
    {
      enabled: booleanField('Draw the wave', true),
      template: textField('Preset', 100),
      audiogram_config: Type.Optional(
        Type.Object(
          {
            enabled: booleanField('Draw the wave', true),
            backgroundColor: colourField('Background'),
            backgroundUrl: urlField('Background picture'),
            waveColor: colourField('Colour of the wave'),
            waveStyle: choiceField('Form of the wave', ['bars', 'line', 'mirror'], 'bars'),
            x: numberField('Centre, percent of the width', percent),
            y: numberField('Centre, percent of the height', percent),
            width: numberField('Percent of the width', percent),
            height: numberField('Percent of the height', percent),
            showCover: booleanField('Show the cover picture'),
            coverUrl: urlField('Cover picture'),
          },
          { ...closedConfig, description: 'Look of the wave' },
        ),
      ),
    },
    closedConfig,
  ),
  innerSwitch: 'audiogram_config',
  compile: () => notRendered('add_audiogram'),
})
