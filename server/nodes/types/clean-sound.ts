import { Type } from '@sinclair/typebox'
import { SoundConfig } from '../../contract/media-configs.ts'
import { booleanField, closedObject } from '../../contract/config-fields.ts'
import type { SoundCleaning } from '../../contract/composition.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { remark } from '../../contract/render-remarks.ts'
import { declareNode } from '../declare.ts'
import { spokenTurns } from '../sound/spoken-turns.ts'

/** Cleans the recorded sound, before music and everything else comes to it. */
export const cleanSound = declareNode({
  type: 'clean_sound',
  label: 'Clean up the sound',
  config: closedObject({
    enabled: booleanField('Clean up the sound', true),
    sound_config: Type.Optional(SoundConfig),
  }),
  compile({ sound_config: wanted = {} }, { words, timeMap, output, facts }) {
    const { noiseReduction: noise = 'off', humFilter: hum = false, dereverb: reverb = false } = wanted
    const levels = wanted.levelSpeakers === true
    if (noise === 'off' && !hum && !reverb && !levels) return {}
    if (facts.audio === null)
      return {
        warnings: [
          remark('NOTHING_FOUND', 'clean_sound', 'The sound was not cleaned: the source has no sound.'),
        ],
      }
    const turns = levels ? spokenTurns(words, timeMap, output.frameRate) : []
    const cleaning: SoundCleaning = {
      noise,
      hum,
      reverb,
      ...omitUndefined({ turns: turns.length === 0 ? undefined : turns }),
    }
    const message =
      'Speakers were not levelled: the words of this clip are of one speaker, or nobody has told its speakers apart.'
    return {
      cleaning,
      warnings: levels && turns.length === 0 ? [remark('NOTHING_FOUND', 'clean_sound', message)] : [],
    }
  },
})
