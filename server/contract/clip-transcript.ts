/** GET /clip-transcript: the clip's words, padding included. */
import { Type, type Static } from '@sinclair/typebox'

export const PublicWord = Type.Object({
  /** Stable position of the word. */
  index: Type.Integer(),
  word: Type.String(),
  start: Type.Number({ description: 'Seconds in the source' }),
  end: Type.Number({ description: 'Seconds in the source' }),
  speaker: Type.Optional(Type.Integer()),
  isDeleted: Type.Boolean(),
  /** Inside what the clip currently shows. */
  visible: Type.Boolean(),
})
export type PublicWord = Static<typeof PublicWord>

export const ClipTranscriptResponse = Type.Object({
  clipId: Type.String(),
  source: Type.String(),
  wordCount: Type.Integer(),
  words: Type.Array(PublicWord),
})
export type ClipTranscriptResponse = Static<typeof ClipTranscriptResponse>
