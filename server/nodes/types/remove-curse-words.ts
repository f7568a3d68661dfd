import { Type } from '@sinclair/typebox'
import {
  booleanField,
  choiceField,
  closedObject,
  describedObject,
  listField,
} from '../../contract/config-fields.ts'
import { declareNode } from '../declare.ts'
import { curseFinder, maskWord } from '../speech/find-curses.ts'

/** Takes swear words out of the sound and the captions. */
export const removeCurseWords = declareNode({
  type: 'remove_curse_words',
  label: 'Remove curse words',
  config: closedObject({
    enabled: booleanField('Remove curse words', true),
    remove_curse_words_config: Type.Optional(
      describedObject('What is done, and to which words', {
        enabled: booleanField('Remove curse words', true),
        mode: choiceField(
          '`silence` or `beep` the sound, or `remove` the moment',
          ['silence', 'beep', 'remove'],
          'silence',
        ),
        words: listField(Type.String({ maxLength: 100 }), 'Words besides the built-in ones', 1000),
        includeMild: booleanField('Mild words such as "damn" as well', false),
      }),
    ),
  }),
  innerSwitch: 'remove_curse_words_config',
  measures: (config) => (config.remove_curse_words_config?.mode === 'remove' ? ['sound-levels'] : []),
  speech(config, { words, language }) {
    const { mode = 'silence', words: more = [], includeMild = false } = config.remove_curse_words_config ?? {}
    const finder = curseFinder({ language, more, includeMild })
    const found = finder.find(words)
    const shownAs = new Map(found.map((index) => [index, maskWord(words[index]?.word ?? '')]))
    return {
      shownAs,
      rewrite: finder.rewrite,
      ...(mode === 'remove'
        ? { drop: found.map((index) => ({ index, must: true })) }
        : { mute: found.map((index) => ({ index, kind: mode })) }),
    }
  },
  compile: () => ({}),
})
