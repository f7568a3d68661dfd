/** GET /search. */
import { Type, type Static } from '@sinclair/typebox'
import { Moment, PAGE_QUERY } from './envelope.ts'
import { choice, closedObject, oneOf } from '../config-fields.ts'

export const SEARCH_TYPES = ['workflow', 'run', 'clip', 'social_post', 'doc'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

const MAX_SEARCH_LENGTH = 500

export const SearchQuery = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: MAX_SEARCH_LENGTH,
    description:
      'Words that must all be there, in any order; "words in quotes" next to each other; the last word may be the beginning of one',
  }),
  types: Type.Optional(
    Type.Array(choice(SEARCH_TYPES), {
      maxItems: SEARCH_TYPES.length,
      description: 'All of them when left out',
    }),
  ),
  ...PAGE_QUERY,
})
export type SearchQuery = Static<typeof SearchQuery>

/** A piece of text; `match`: it is what was searched for. Put together, the pieces are the text. */
export const TextPart = closedObject({ text: Type.String(), match: Type.Boolean() })
export type TextPart = Static<typeof TextPart>

export const SearchResult = closedObject({
  type: oneOf(SEARCH_TYPES),
  /** Of the thing itself; of a section of the guide its file and heading: `docs/domain-api.md#search`. */
  id: Type.String(),
  title: Type.String(),
  titleParts: Type.Array(TextPart, { description: 'The title, with what was found in it' }),
  snippet: Type.Array(TextPart, {
    description:
      'A passage around what was found; plain text, never markup. Empty where there is no more text',
  }),
  score: Type.Number({ minimum: 0, description: 'For comparing results of one search; it has no unit' }),
  updatedAt: Moment,
})
export type SearchResult = Static<typeof SearchResult>
