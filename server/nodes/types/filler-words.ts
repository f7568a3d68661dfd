import { Type } from '@sinclair/typebox'
import { booleanField, closedConfig } from '../../contract/config-fields.ts'
import { declareNode, notRendered } from '../declare.ts'

/** Cuts fillers, stutters and silences out of the clip. */
export const fillerWords = declareNode({
  type: 'filler_words',
  label: 'Remove filler words',
  config: Type.Object(
    {
      enabled: booleanField('Clean up the speech', true),
      filler_words_config: Type.Optional(
        Type.Object(
          {
            enabled: booleanField('Cut filler words such as "um"', true),
            stutteredWordsEnabled: booleanField('Cut repeated words', false),
            silencesEnabled: booleanField('Shorten silences', false),
          },
          { ...closedConfig, description: 'What is cut' },
        ),
      ),
    },
    closedConfig,
  ),
  compile(config) {
    const wanted = config.filler_words_config ?? {}
    const off =
      wanted.enabled === false && wanted.stutteredWordsEnabled !== true && wanted.silencesEnabled !== true
    return off ? {} : notRendered('filler_words')
  },
})
