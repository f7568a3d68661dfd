/** What a clip's thumbnail is taken from. */
import { Type, type Static } from '@sinclair/typebox'
import { Composition } from './composition.ts'
import { closedObject } from './config-fields.ts'

export const ThumbnailPlan = closedObject({
  /** The clip's, with only what a thumbnail shows of it. */
  composition: Composition,
  /** Frames that it may be taken from. */
  moments: Type.Array(
    closedObject({
      frame: Type.Integer({ minimum: 0 }),
      /** How well the frame shows the clip's subject: 1 when nothing is known, at most 2. */
      worth: Type.Number({ minimum: 1, maximum: 2 }),
    }),
    { minItems: 1 },
  ),
  /** As a PNG; absent: as a JPEG. */
  png: Type.Optional(Type.Literal(true)),
})
export type ThumbnailPlan = Static<typeof ThumbnailPlan>
