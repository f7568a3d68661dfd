/**
 * Second videos that were picked for a clip from the company's library when it was made, stored in its document so that
 * later renders show the same ones.
 */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject } from './config-fields.ts'

export const PickedVideo = closedObject({
  /** The requested category in lower case; empty: any video for this purpose. */
  category: Type.String(),
  /** `cutroom-source:<sha256>` */
  url: Type.String(),
  /** Name of the library's item. */
  name: Type.String(),
})
export type PickedVideo = Static<typeof PickedVideo>
