/**
 * The second videos that were picked for a clip from the company's library when it was made, kept on its document so that a
 * later render shows the same ones.
 */
import { Type, type Static } from '@sinclair/typebox'

export const PickedVideo = Type.Object(
  {
    /** As it was asked for, in lower case; empty: any that is there for this purpose. */
    category: Type.String(),
    /** `cutroom-source:<sha256>` */
    url: Type.String(),
    /** Name of the library's item. */
    name: Type.String(),
  },
  { additionalProperties: false },
)
export type PickedVideo = Static<typeof PickedVideo>
