/** GET and PATCH /clips/{clipId}/transcript: the words of a clip, a bounded page at a time. */
import { Type, type Static } from '@sinclair/typebox'
import { PublicWord, TranscriptOperation } from '../clip-transcript.ts'
import { NextCursor, PAGE_QUERY } from './envelope.ts'
import { closedObject } from '../config-fields.ts'

export const DEFAULT_WORDS = 200

export const TranscriptQuery = Type.Object({
  start: Type.Optional(
    Type.Number({ minimum: 0, description: 'Only words that end after this; seconds in the source' }),
  ),
  end: Type.Optional(
    Type.Number({ minimum: 0, description: 'Only words that start before this; seconds in the source' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: DEFAULT_WORDS })),
  cursor: PAGE_QUERY.cursor,
})
export type TranscriptQuery = Static<typeof TranscriptQuery>

export const TranscriptPage = closedObject({
  clipId: Type.String(),
  /** Where the words come from. */
  source: Type.String(),
  language: Type.String({ description: 'BCP 47; `und` when nobody said' }),
  wordCount: Type.Integer({ minimum: 0, description: 'Words in the range, on all pages' }),
  words: Type.Array(PublicWord, { maxItems: 500 }),
})
export type TranscriptPage = Static<typeof TranscriptPage>

export const TranscriptMeta = NextCursor

/** The body as documented to callers. */
export const TranscriptPatchBody = closedObject({
  operations: Type.Array(TranscriptOperation, {
    minItems: 1,
    description:
      'Applied in order. One that cannot be is left out with a warning; when none can, nothing is changed',
  }),
})

/** What is checked before the operations are read: one that cannot be is left out, and does not refuse the others. */
export const TranscriptPatch = closedObject({ operations: Type.Array(Type.Unknown(), { minItems: 1 }) })

export const TranscriptPatchMeta = closedObject({
  ...NextCursor.properties,
  applied: Type.Integer({ minimum: 0, description: 'Operations processed, also those that matched nothing' }),
  replaced: Type.Integer({ minimum: 0, description: 'Spans of words replaced' }),
  appliedToHiddenWords: Type.Integer({ minimum: 0 }),
  warnings: Type.Array(Type.String()),
})
export type TranscriptPatchMeta = Static<typeof TranscriptPatchMeta>
