/** Who speaks in a clip, as an editor has named them; it stands in the place of the names that its run found. */
import { Type, type Static } from '@sinclair/typebox'

/** One name for each speaker who has words, in the order of their numbers. */
export const ManualSpeakers = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 1000 })
export type ManualSpeakers = Static<typeof ManualSpeakers>
