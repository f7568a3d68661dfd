/** How well a clip frames the people in it, measured when it is compiled. Shares are 0 to 1. */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject, nullable } from './config-fields.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })

export const FramingQuality = closedObject({
  /** Frames that were looked at, evenly over the clip; the shares are of these. */
  frames: Type.Integer({ minimum: 0 }),
  /** Frames that show no face although the source's picture has one. */
  noFaceShown: Share,
  /** Share of the frames with a visible speaker that show the speaker; null: no speaker is visible. */
  onSpeaker: nullable(Share),
  /** Frames in which a caption's block covers a face; null: there are no captions. */
  captionOnFace: nullable(Share),
  /** The camera's path without its cuts: root mean square over all frames, view widths per second cubed. */
  jerk: Type.Number({ minimum: 0 }),
  /** The greatest acceleration of the camera, view widths per second squared. */
  acceleration: Type.Number({ minimum: 0 }),
})
export type FramingQuality = Static<typeof FramingQuality>
