/** What every refusal of the public API looks like. */
import { Type, type Static } from '@sinclair/typebox'

export const PublicError = Type.Object({
  error: Type.String({ description: 'A sentence for a person' }),
  status: Type.Literal('error'),
  code: Type.String({ description: 'For a program; stable' }),
  requestId: Type.String({ description: 'As in X-Request-Id and in the log' }),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Which field, which rule, where that helps' }),
  ),
})
export type PublicError = Static<typeof PublicError>
