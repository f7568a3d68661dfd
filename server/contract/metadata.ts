/** Names and values of a client's own on runs and clips: stored and answered, and never looked at. */
import { Type, type Static } from '@sinclair/typebox'

export const MAX_METADATA_NAMES = 16

/** Brackets are what a filter has around a name. */
export const Metadata = Type.Record(
  Type.String({ pattern: '^[^\\[\\]]{1,40}$' }),
  Type.String({ maxLength: 500 }),
  {
    additionalProperties: false,
    maxProperties: MAX_METADATA_NAMES,
    propertyNames: { description: 'names have 1 to 40 characters, and no brackets' },
    description:
      'Names and values of your own, at most 16, of up to 40 and 500 characters; they are stored and answered, and change nothing',
  },
)
export type Metadata = Static<typeof Metadata>

/** PURE: without names of empty values, which is how one is taken away. */
export const withoutEmptyValues = (metadata: Metadata): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== ''))
