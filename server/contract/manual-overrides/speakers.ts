/** Names that an editor gave to a clip's speakers; they replace those of the run. */
import { Type } from '@sinclair/typebox'

/** One name for each speaker with words, in the order of their numbers. */
export const ManualSpeakers = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 1000 })
