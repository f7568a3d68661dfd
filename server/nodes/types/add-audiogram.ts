import { Type } from '@sinclair/typebox'
import { AudiogramConfig } from '../../contract/audiogram-config.ts'
import { booleanField, closedObject, textField } from '../../contract/config-fields.ts'
import { declareNode } from '../declare.ts'
import { audiogramAssets, compileAudiogram } from '../pictures/audiogram.ts'
import { AUDIOGRAM_PRESETS } from '../presets/audiograms.ts'

const templates = AUDIOGRAM_PRESETS.map(({ id }) => id).join(', ')

/** Draws the sound as a moving wave: over the picture, or, where the source has none, in its place. */
export const addAudiogram = declareNode({
  type: 'add_audiogram',
  label: 'Add audiogram',
  config: closedObject({
    enabled: booleanField('Draw the wave', true),
    template: textField(`Preset: ${templates}`, 100),
    audiogram_config: Type.Optional(AudiogramConfig),
  }),
  innerSwitch: 'audiogram_config',
  measures: () => ['sound-levels'],
  assets: (config) => audiogramAssets(config.audiogram_config ?? {}),
  compile: (config, context) => compileAudiogram(config.template, config.audiogram_config ?? {}, context),
})
