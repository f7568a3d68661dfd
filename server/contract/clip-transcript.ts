/** GET and PATCH /clip-transcript: the clip's words, padding included, and corrections of them. */
import { Type, type Static } from '@sinclair/typebox'

export const PublicWord = Type.Object({
  index: Type.Integer({ description: 'Stable position of the word' }),
  word: Type.String({ description: 'Text, punctuation included' }),
  start: Type.Number({ description: 'Seconds in the source' }),
  end: Type.Number({ description: 'Seconds in the source' }),
  speaker: Type.Optional(Type.Integer({ description: '0-based speaker, when known' })),
  isDeleted: Type.Boolean({ description: 'Removed from the captions' }),
  visible: Type.Boolean({ description: 'Inside what the clip currently shows' }),
})
export type PublicWord = Static<typeof PublicWord>

export const ClipTranscriptResponse = Type.Object({
  clipId: Type.String(),
  source: Type.String(),
  wordCount: Type.Integer(),
  words: Type.Array(PublicWord),
})
export type ClipTranscriptResponse = Static<typeof ClipTranscriptResponse>

const replacing = {
  to: Type.Optional(Type.String({ description: 'Replacement; empty removes the words from the captions' })),
  replacement: Type.Optional(Type.String({ description: 'Another name of to, which wins' })),
}

/** One correction, by exactly one way of targeting. Either `to` or `replacement` is required. */
export const TranscriptOperation = Type.Union([
  Type.Object(
    {
      from: Type.String({ description: 'Whole words to find, everywhere; may be several words' }),
      matchCase: Type.Optional(Type.Boolean({ default: false })),
      ...replacing,
    },
    { description: 'By text' },
  ),
  Type.Object(
    {
      start: Type.Number({ description: 'Seconds in the source' }),
      end: Type.Number({ description: 'Seconds in the source' }),
      ...replacing,
    },
    { description: 'The words that overlap a range of time' },
  ),
  Type.Object(
    { index: Type.Integer({ minimum: 0, description: 'Position of the word' }), ...replacing },
    { description: 'One word' },
  ),
])

/** How requests of the public API name a clip. */
export const CLIP_ADDRESS = {
  companyId: Type.String({ minLength: 1, maxLength: 200 }),
  clipId: Type.String({ minLength: 1, maxLength: 200 }),
}

/** The body as documented to callers. */
export const PatchTranscriptBody = Type.Object({
  ...CLIP_ADDRESS,
  operations: Type.Array(TranscriptOperation, { minItems: 1 }),
})

/** What is checked before the operations are read: those have an error code, and a rule for each of them, of their own. */
export const PatchTranscriptRequest = Type.Object({
  ...CLIP_ADDRESS,
  operations: Type.Optional(Type.Unknown()),
})
export type PatchTranscriptRequest = Static<typeof PatchTranscriptRequest>

export const PatchTranscriptResponse = Type.Object({
  clipId: Type.String(),
  status: Type.Literal('success'),
  applied: Type.Integer({ description: 'Operations processed, those that matched nothing included' }),
  replaced: Type.Integer({ description: 'Spans of words replaced' }),
  appliedToHiddenWords: Type.Integer({ description: 'Replacements on words that the clip does not show' }),
  warnings: Type.Array(Type.String()),
  words: Type.Array(PublicWord),
})
export type PatchTranscriptResponse = Static<typeof PatchTranscriptResponse>
