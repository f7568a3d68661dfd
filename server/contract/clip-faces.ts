/**
 * Which faces are seen in a clip and when: the basis of framing people. Measured over the clip's extended range when it
 * is made, and stored with the clip.
 */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject, nullable } from './config-fields.ts'

const Stretch = closedObject({ start: Type.Number(), end: Type.Number() })

export const FaceTrack = closedObject({
  /** The same person within one shot. */
  id: Type.Integer({ minimum: 0 }),
  /**
   * One face in one picture: source second, then left, top, width and height in shares of the source picture
   * (0 to 1), in order of time. Between two of them it moves evenly.
   */
  points: Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number(), Type.Number()])),
  /** When this person is speaking, in source seconds. */
  speaking: Type.Array(Stretch),
})
export type FaceTrack = Static<typeof FaceTrack>

export const ClipFaces = closedObject({
  /** What was looked at, source seconds. */
  start: Type.Number(),
  end: Type.Number(),
  /** Seconds at which a new shot begins, `start` not among them. */
  shotStarts: Type.Array(Type.Number()),
  tracks: Type.Array(FaceTrack),
  /** Stretches that show a screen or slides, with a person small in a corner or not at all; shares of the picture. */
  screens: Type.Array(
    closedObject({
      start: Type.Number(),
      end: Type.Number(),
      /** Rectangle of the person's own picture: left, top, width, height; null: there is none. */
      inset: nullable(Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()])),
    }),
  ),
})
export type ClipFaces = Static<typeof ClipFaces>
