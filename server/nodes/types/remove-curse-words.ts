import { Type } from '@sinclair/typebox'
import { booleanField, choiceField, closedConfig, listField } from '../../contract/config-fields.ts'
import { declareNode, notRendered } from '../declare.ts'

/** Takes swear words out of the sound and the captions. */
export const removeCurseWords = declareNode({
  type: 'remove_curse_words',
  label: 'Remove curse words',
  config: Type.Object(
    {
      enabled: booleanField('Remove curse words', true),
      remove_curse_words_config: Type.Optional(
        Type.Object(
          {
            enabled: booleanField('Remove curse words', true),
            mode: choiceField(
              '`silence` or `beep` the sound, or `remove` the moment',
              ['silence', 'beep', 'remove'],
              'silence',
            ),
            words: listField(Type.String({ maxLength: 100 }), 'Words besides the built-in ones', 1000),
          },
          { ...closedConfig, description: 'What is done, and to which words' },
        ),
      ),
    },
    closedConfig,
  ),
  innerSwitch: 'remove_curse_words_config',
  compile: () => notRendered('remove_curse_words'),
})
