/** Sounds in a source other than speech. */
import { Type, type Static } from '@sinclair/typebox'

export const SOUND_EVENT_KINDS = ['laughter', 'applause', 'cheering', 'music'] as const
export type SoundEventKind = (typeof SOUND_EVENT_KINDS)[number]

export const SoundEvent = Type.Object(
  {
    kind: Type.Union(SOUND_EVENT_KINDS.map((kind) => Type.Literal(kind))),
    /** Seconds in the source. */
    start: Type.Number(),
    end: Type.Number(),
    /** How sure, at its surest moment. */
    score: Type.Number({ minimum: 0, maximum: 1 }),
  },
  { additionalProperties: false },
)
export type SoundEvent = Static<typeof SoundEvent>
