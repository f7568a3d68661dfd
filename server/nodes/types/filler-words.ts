import { Type } from '@sinclair/typebox'
import { booleanField, closedObject } from '../../contract/config-fields.ts'
import { declareNode, type SpeechContext } from '../declare.ts'
import { findFillers } from '../speech/find-fillers.ts'
import { findStutters } from '../speech/find-stutters.ts'
import { silenceThreshold } from '../speech/sound-levels.ts'

/** Cuts fillers, stutters and silences out of the clip. */
export const fillerWords = declareNode({
  type: 'filler_words',
  label: 'Remove filler words',
  config: closedObject({
    enabled: booleanField('Clean up the speech', true),
    filler_words_config: Type.Optional(
      closedObject(
        {
          enabled: booleanField('Cut filler words such as "um"', true),
          stutteredWordsEnabled: booleanField('Cut repeated words', false),
          silencesEnabled: booleanField('Shorten silences', false),
        },
        { description: 'What is cut' },
      ),
    ),
  }),
  measures: () => ['sound-levels'],
  speech(config, context) {
    const wanted = config.filler_words_config ?? {}
    const fillers = wanted.enabled !== false
    const stutters = wanted.stutteredWordsEnabled === true
    const pauses = wanted.silencesEnabled === true
    if (!fillers && !stutters && !pauses) return {}
    const { words, language } = context
    // Fillers are looked for even where they stay: "I, um, I" is a stutter all the same.
    const um = findFillers(words, language)
    const again = stutters ? findStutters(words, um, language) : new Set<number>()
    const drop = [...new Set([...(fillers ? um : []), ...again])].map((index) => ({ index, must: false }))
    return { drop, shortenPauses: pauses, warnings: complaints(context, pauses) }
  },
  compile: () => ({}),
})

function complaints({ words, sound, hasSound }: SpeechContext, pauses: boolean): string[] {
  if (words.length === 0) return ['filler_words found no words to clean up.']
  if (!hasSound) return pauses ? ['filler_words left the silences: the source has no sound.'] : []
  if (sound === null) {
    return [
      'filler_words worked by the times of the words alone and left the silences: the sound of this clip was not measured when it was made. A new run measures it.',
    ]
  }
  return pauses && silenceThreshold(sound) === null
    ? ['filler_words left the silences: the background is about as loud as the speech.']
    : []
}
