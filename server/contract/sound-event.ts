/** Sounds in a source other than speech. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject } from './config-fields.ts'

export const SOUND_EVENT_KINDS = ['laughter', 'applause', 'cheering', 'music'] as const
export type SoundEventKind = (typeof SOUND_EVENT_KINDS)[number]

export const SoundEvent = closedObject({
  kind: choice(SOUND_EVENT_KINDS),
  /** Seconds in the source. */
  start: Type.Number(),
  end: Type.Number(),
  /** How sure, at its surest moment. */
  score: Type.Number({ minimum: 0, maximum: 1 }),
})
export type SoundEvent = Static<typeof SoundEvent>
