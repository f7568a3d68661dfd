/** GET /search. */
import { Type, type Static } from '@sinclair/typebox'
import { Moment, NextCursor, PAGE_QUERY } from './envelope.ts'
import { choice, closedObject, nullable, oneOf } from '../config-fields.ts'

export const SEARCH_TYPES = ['workflow', 'run', 'clip', 'social_post', 'doc'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

const MAX_SEARCH_LENGTH = 500

export const SearchQuery = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: MAX_SEARCH_LENGTH,
    description:
      'Words that must all be there, in any order; "words in quotes" next to each other; the last word may be the beginning of one. Where a model of meaning is installed, transcripts are searched by what the query means too',
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

/** By what something was found: its words, or what it means. */
const FOUND_BY = ['words', 'meaning'] as const
export type FoundBy = (typeof FOUND_BY)[number]

/** Passages of one result, at most. */
export const MAX_PASSAGES = 3

/** Some sentences of a transcript, about half a minute. */
export const SearchPassage = closedObject({
  runId: Type.String(),
  clipId: nullable(Type.String(), { description: 'The clip that most of it is in; null: it is in none' }),
  chunkIndex: nullable(Type.Integer(), { description: 'Of a livestream: which part of the recording' }),
  start: Type.Number({ description: 'Second of the source (of its part, for a livestream)' }),
  end: Type.Number(),
  text: Type.Array(TextPart),
  foundBy: Type.Array(oneOf(FOUND_BY)),
  score: Type.Number({
    minimum: 0,
    description: 'For comparing the passages of one search over its results',
  }),
  sourceUrl: nullable(Type.String(), { description: 'The source, where a clip of the run has it' }),
})
export type SearchPassage = Static<typeof SearchPassage>

const MEANING_STATES = ['used', 'no-model', 'not-ready', 'failed', 'not-searched'] as const

export const SearchMeta = Type.Intersect([
  NextCursor,
  Type.Object({
    meaning: closedObject({
      state: choice(MEANING_STATES),
      /** Name of the model; null: none is installed, or it was not needed. */
      model: nullable(Type.String()),
      /** Runs with a transcript, and how many of them can be searched by meaning. */
      runs: Type.Integer({ minimum: 0 }),
      indexed: Type.Integer({ minimum: 0 }),
    }),
    warnings: Type.Array(Type.String(), { description: 'Sentences that say what was not searched, and why' }),
  }),
])
export type SearchMeta = Static<typeof SearchMeta>

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
  foundBy: Type.Array(oneOf(FOUND_BY)),
  passages: Type.Array(SearchPassage, {
    description: 'Where it is spoken, best first; of clips and runs only',
    maxItems: MAX_PASSAGES,
  }),
  score: Type.Number({ minimum: 0, description: 'For comparing results of one search; it has no unit' }),
  updatedAt: Moment,
})
export type SearchResult = Static<typeof SearchResult>
