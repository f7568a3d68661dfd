/** GET /context: the tenant that the caller acts for, and its permissions. */
import { Type, type Static } from '@sinclair/typebox'
import { Moment } from './envelope.ts'

export const DomainContext = Type.Object(
  {
    apiVersion: Type.String(),
    organization: Type.Object({
      id: Type.String(),
      name: Type.String(),
      plan: Type.String(),
      features: Type.Array(Type.String()),
      /** Renders that may go on at the same time. */
      renderConcurrency: Type.Integer({ minimum: 1 }),
    }),
    principal: Type.Object({
      id: Type.String(),
      /** `delegated`: named by a delegation; `session`: a person in the studio. */
      kind: Type.Union([Type.Literal('delegated'), Type.Literal('session')]),
    }),
    client: Type.Object({ id: Type.String(), name: Type.String() }),
    scopes: Type.Array(Type.String()),
    /** The leave of the organization to the client; null in the studio, which needs none. */
    grant: Type.Union([Type.Object({ expiresAt: Moment }), Type.Null()]),
    /** The delegation that was sent; null in the studio. */
    delegation: Type.Union([Type.Object({ issuer: Type.String(), expiresAt: Moment }), Type.Null()]),
  },
  { additionalProperties: false },
)
export type DomainContext = Static<typeof DomainContext>
