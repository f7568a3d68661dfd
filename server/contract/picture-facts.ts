/** Coarse measurements of a source's whole picture: cuts, movement, presence of faces. */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject } from './config-fields.ts'

export const PictureFacts = closedObject({
  /** Seconds in the source at which a new shot begins; the first shot is not among them. */
  cuts: Type.Array(Type.Number()),
  /**
   * One for each picture that was looked at, in order: its second; how much has moved since the one before it, 0 to 1
   * (0 at a cut); the share of the picture that the largest face covers, -1 where no face was looked for.
   */
  looks: Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number()])),
})
export type PictureFacts = Static<typeof PictureFacts>
