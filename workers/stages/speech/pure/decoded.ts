/** PURE. The model's result for one window, as stored between attempts. */
import { Type, type Static } from '@sinclair/typebox'

export const DecodedWindow = Type.Object({
  /** Seconds in the source. */
  start: Type.Number(),
  end: Type.Number(),
  /** Each piece is a word (`words`) or a segment, with times from the window's start; null if the model gave none. */
  pieces: Type.Array(
    Type.Object({
      text: Type.String(),
      from: Type.Union([Type.Number(), Type.Null()]),
      to: Type.Union([Type.Number(), Type.Null()]),
    }),
  ),
  words: Type.Boolean(),
})
export type DecodedWindow = Static<typeof DecodedWindow>
